import { describe, expect, test } from 'vitest'
import { width } from '../../src/output/layout.ts'
import { COLOUR } from '../../src/output/style.ts'
import { symbols } from '../../src/output/symbols.ts'
import { renderTraceDot, renderTraceMermaid } from '../../src/output/trace-graph.ts'
import { renderTraceListShort, renderTraceListText } from '../../src/output/trace-list-text.ts'
import { renderTraceShort, renderTraceText, renderTraceTree, renderTraceWide } from '../../src/output/trace-text.ts'
import { BROKEN, chain, HOPS, LIST, OPTIONS, TRACE_FINDING } from './samples.ts'

/** Section 6a of the conventions, to the letter. */
const EXAMPLE = `\
Application openshift-gitops/branding-bm   model pull (label pull-to-ocm-managed-cluster)   spoke bm
HOP                                                   STATE    AGE  DETAIL
ApplicationSet/branding-pull                          ok       3m   2 generated
├─ Placement/production-clusters                      ok       9m   2 selected: bm, sno
│  └─ GitOpsCluster/gitops-production                 ok       9m   Ready
│     └─ Secret/bm-application-manager-cluster-secret ok       2h   token renews in 21h
└─ Application/branding-bm (hub)                      ok       3m   skip-reconcile set
   └─ ManifestWork bm/branding-bm-1a2b3               ok       3m   Applied, Available
      └─ Application/branding-bm (bm)                 broken   40s  SyncFailed: cannot create consoles.operator.openshift.io
First broken hop: Application on bm. The controller service account may not create the kind it deploys.   FLT0507
`

describe('text of a trace', () => {
  test('is laid out as the conventions show it, followed by the fix block', () => {
    expect(renderTraceText(BROKEN, OPTIONS)).toBe(
      `${EXAMPLE}  Fix      grant create on consoles.operator.openshift.io\n  More     fleetctl explain FLT0507\n`,
    )
  })

  test('draws the tree in ASCII where the locale is no UTF-8', () => {
    const tree = renderTraceTree(BROKEN, { ...OPTIONS, headers: false, symbols: symbols(false, false) })
    expect(tree.split('\n').map(line => line.replace(/ +(ok|broken) .*/, ''))).toEqual([
      'ApplicationSet/branding-pull',
      '|- Placement/production-clusters',
      '|  `- GitOpsCluster/gitops-production',
      '|     `- Secret/bm-application-manager-cluster-secret',
      '`- Application/branding-bm (hub)',
      '   `- ManifestWork bm/branding-bm-1a2b3',
      '      `- Application/branding-bm (bm)',
      '',
    ])
  })

  test('fits 80 columns on a terminal by cutting in the middle; wide cuts nothing', () => {
    const narrow = { ...OPTIONS, width: 80, style: COLOUR }
    const lines = renderTraceText(BROKEN, narrow).split('\n')
    for (const line of lines) expect(width(line)).toBeLessThanOrEqual(80)
    expect(lines.some(line => /Secret\/\S+…\S+-secret /.test(line))).toBe(true)
    // What a hop says keeps the larger part of the line.
    expect(lines.some(line => line.includes('SyncFailed: can') && line.includes('…'))).toBe(true)
    expect(renderTraceWide(BROKEN, narrow)).toContain('SyncFailed: cannot create consoles.operator.openshift.io')
  })

  test('names the cause where it is another object than the broken hop', () => {
    const cause = { ...TRACE_FINDING.subject, kind: 'ClusterRoleBinding', namespace: '', name: 'argo-admin' }
    const trace = { ...BROKEN, finding: { ...TRACE_FINDING, subject: { ...cause, missing: true as const } } }
    expect(renderTraceText(trace, OPTIONS)).toContain('  Cause    ClusterRoleBinding/argo-admin on bm (missing)\n')
  })

  test.each([
    ['ok', '', 'No broken hop: the Application is delivered to bm.'],
    ['unknown', 'not read', 'No broken hop seen, but 1 hop is unknown: Application/branding-bm (bm) (not read).'],
    ['waiting', 'hook runs', 'No broken hop; still waiting for Application/branding-bm (bm) (hook runs).'],
    ['stale', '', 'No broken hop, but stale: Application/branding-bm (bm).'],
  ] as const)('says of a chain whose last hop is %s what can be said', (state, message, sentence) => {
    expect(renderTraceText(chain(state, message), OPTIONS).trimEnd().split('\n').at(-1)).toBe(sentence)
  })

  test('shows who said so where it was not the object itself', () => {
    const hops = HOPS.map(hop => ({ ...hop, source: hop.subject.cluster === 'bm' ? 'copied from report' : '' }))
    expect(renderTraceText({ ...BROKEN, hops }, OPTIONS)).toContain(
      'cannot create consoles.operator.openshift.io (copied from report)\n',
    )
  })

  test('does not guess an age that nothing says', () => {
    const hops = HOPS.map(hop => ({ ...hop, since: '' }))
    expect(renderTraceText({ ...BROKEN, hops }, OPTIONS)).toMatch(/branding-pull +ok +<unknown> +2 generated/)
  })

  test('short keeps the hops that are not as they should be', () => {
    expect(renderTraceShort(BROKEN, OPTIONS).split('\n')[0]).toBe(
      'broken  Application/branding-bm (bm)  SyncFailed: cannot create consoles.operator.openshift.io',
    )
    expect(renderTraceShort(chain('ok'), OPTIONS)).toBe('')
  })

  test('a parent that is no hop, and a ring of parents, still show every hop', () => {
    const parents = [7, 2, 1, 0, 3, 4, 5]
    const hops = HOPS.map((hop, i) => ({ ...hop, parent: parents[i] ?? null }))
    const tree = renderTraceTree({ ...BROKEN, hops }, { ...OPTIONS, headers: false })
    expect(tree.trimEnd().split('\n')).toHaveLength(HOPS.length)
  })
})

describe('several traces', () => {
  test('are one line each, and every cause once', () => {
    expect(renderTraceListText(LIST, OPTIONS)).toBe(`\
ApplicationSet openshift-gitops/branding-pull   2 Applications   1 broken, 1 ok
NAME          SPOKE  MODEL  STATE   STOPS                         CODE     AGE
branding-bm   bm     pull   broken  Application/branding-bm (bm)  FLT0507  40s
branding-sno  sno    pull   ok      <none>                        <none>   40s

Error FLT0507 spoke-controller-forbidden   openshift-gitops/Application/branding-bm on bm
  The controller service account may not create the kind it deploys.
  Fix      grant create on consoles.operator.openshift.io
  More     fleetctl explain FLT0507
`)
  })

  test('say the namespace where there are several, and no spoke for a cluster', () => {
    const other = { ...BROKEN, application: { ...BROKEN.application, namespace: 'team-a' } }
    const list = { ...LIST, kind: 'ClusterTrace' as const, traces: [BROKEN, other] }
    expect(renderTraceListText(list, OPTIONS).split('\n')[1]).toMatch(
      /^NAMESPACE +NAME +MODEL +STATE +STOPS +CODE +AGE$/,
    )
  })

  test('short keeps those that do not arrive', () => {
    expect(renderTraceListShort(LIST, OPTIONS)).not.toContain('branding-sno')
    expect(renderTraceListShort({ ...LIST, traces: [chain('ok')] }, OPTIONS)).toBe('')
  })
})

describe('graphs', () => {
  test('dot has a node for each hop and a labelled edge to its parent', () => {
    const dot = renderTraceDot(BROKEN)
    expect(dot).toContain(
      '  h6 [label="Application/branding-bm (bm)\\nbroken", color=red];\n  h5 -> h6 [label="delivers"];',
    )
    expect(dot.match(/ -> /g)).toHaveLength(HOPS.length - 1)
  })

  test('mermaid draws the same graph', () => {
    const mermaid = renderTraceMermaid(BROKEN)
    expect(mermaid.startsWith('flowchart LR\n')).toBe(true)
    expect(mermaid).toContain('  h6["Application/branding-bm (bm)<br/>broken"]:::broken\n  h5 -->|delivers| h6\n')
  })

  test('a name cannot end its label', () => {
    const hops = HOPS.map(hop => ({ ...hop, subject: { ...hop.subject, name: 'a"];x\\' } }))
    expect(renderTraceDot({ ...BROKEN, hops })).toContain('[label="ApplicationSet/a\\"];x\\\\\\nok"')
    expect(renderTraceMermaid({ ...BROKEN, hops })).toContain('["ApplicationSet/a#quot;];x\\<br/>ok"]')
  })
})
