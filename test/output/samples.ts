import type {
  ClusterInfo,
  DoctorReport,
  PassedCheck,
  ReportedFinding,
  SkippedCheck,
  UnknownCheck,
} from '../../src/checks/report.ts'
import { missing, subject } from '../../src/fleet/subject.ts'
import type { RenderOptions } from '../../src/output/options.ts'
import { PLAIN } from '../../src/output/style.ts'
import { symbols } from '../../src/output/symbols.ts'
import type { ApplicationTrace, Hop, TraceList } from '../../src/trace/trace.ts'

/**
 * Reports as the engine makes them, written by hand: renderers are tested against the layouts that the conventions of the
 * command line spell out (sections 6 and 6a), and those are the examples in them.
 */

export const NOW = '2026-08-11T10:20:30Z'

/** A time so many seconds before the source's now. */
export function ago(seconds: number): string {
  return new Date(Date.parse(NOW) - seconds * 1000).toISOString().replace('.000Z', 'Z')
}

export const OPTIONS: RenderOptions = {
  command: 'fleetctl',
  width: Number.POSITIVE_INFINITY,
  style: PLAIN,
  symbols: symbols(true, false),
  headers: true,
  showSymptoms: false,
  failOn: 'error',
  allowIncomplete: false,
  since: false,
  exitCode: 1,
}

const placement = subject('hub', 'Placement', 'openshift-gitops', 'production-clusters')
const binding = missing(subject('hub', 'ManagedClusterSetBinding', 'openshift-gitops', 'production'))

export function symptom(name: string): ReportedFinding {
  return {
    code: 'FLT0301',
    slug: 'appset-generates-nothing',
    category: 'generation',
    severity: 'error',
    fingerprint: `FLT0301/${name}`,
    subject: subject('hub', 'ApplicationSet', 'openshift-gitops', name),
    message: `ApplicationSet "${name}" generates no Application.`,
    evidence: [],
    effect: '',
    fix: '',
    fixCommand: [],
    fixInGit: false,
    impact: { applications: 0, clusters: 0, applicationNames: [], clusterNames: [] },
    changedAt: '',
    explains: [],
  }
}

export const FINDING: ReportedFinding = {
  code: 'FLT0102',
  slug: 'clusterset-binding-missing',
  category: 'selection',
  severity: 'error',
  fingerprint: 'FLT0102/openshift-gitops/production',
  subject: placement,
  message: 'Placement selects ManagedClusterSet "production", which is not bound to namespace "openshift-gitops".',
  evidence: [
    { subject: binding, path: '', value: 'does not exist' },
    {
      subject: placement,
      path: '.status.conditions[PlacementSatisfied]',
      value: 'False (NoManagedClusterSetBindings)',
    },
  ],
  effect: '0 clusters selected; 3 ApplicationSets generate nothing',
  fix: 'create ManagedClusterSetBinding "production" in namespace "openshift-gitops"',
  fixCommand: [],
  fixInGit: false,
  impact: { applications: 2, clusters: 2, applicationNames: ['a/x', 'a/y'], clusterNames: ['bm', 'sno'] },
  changedAt: '',
  explains: [symptom('one'), symptom('three'), symptom('two')],
}

export const WARNING: ReportedFinding = {
  ...symptom('four'),
  code: 'FLT0205',
  slug: 'token-expires-soon',
  category: 'registration',
  severity: 'warning',
  fingerprint: 'FLT0205/four',
  message: 'The token expires in two days.',
}

export const CLUSTERS: readonly ClusterInfo[] = [
  { name: 'hub', role: 'hub', serverVersion: 'v1.34.2', readAt: NOW, read: true },
  { name: 'bm', role: 'spoke', serverVersion: 'v1.34.2', readAt: NOW, read: true },
  { name: 'sno', role: 'spoke', serverVersion: '', readAt: '', read: false },
]

export const PASSED: PassedCheck = {
  code: 'FLT0001',
  slug: 'cluster-accepted',
  category: 'clusters',
  title: 'ManagedCluster is accepted by the hub',
}

export const SKIPPED: SkippedCheck = {
  code: 'FLT0901',
  slug: 'principal-running',
  category: 'agent',
  reason: 'no agent in this fleet',
}

export const UNKNOWN: UnknownCheck = {
  code: 'FLT0401',
  slug: 'cluster-secret-blank',
  category: 'delivery',
  reason: 'secrets on sno: cannot list secrets',
  unseen: [{ cluster: 'sno', resource: 'secrets', reason: 'cannot list secrets' }],
}

type Parts = Partial<
  Pick<DoctorReport, 'findings' | 'unknown' | 'skipped' | 'passed' | 'suppressed' | 'baselined' | 'gone' | 'older'>
> & {
  readonly problems?: DoctorReport['source']['problems']
}

/** A report with the given parts; the summary is counted from them. */
export function report(parts: Parts = {}): DoctorReport {
  const { findings = [], unknown = [], skipped = [SKIPPED], passed = [PASSED], suppressed = [], problems = [] } = parts
  const { baselined = [], gone = [], older = [] } = parts
  const of = (severity: string) => findings.filter(finding => finding.severity === severity).length
  return {
    apiVersion: 'fleetctl/v1',
    kind: 'DoctorReport',
    version: '0.1.0',
    startedAt: '2026-08-12T00:00:00.000Z',
    finishedAt: '2026-08-12T00:00:01.500Z',
    source: { type: 'recording', name: 'lab', now: NOW, problems, notes: [] },
    clusters: CLUSTERS,
    summary: {
      errors: of('error'),
      warnings: of('warning'),
      infos: of('info'),
      unknown: unknown.length,
      skipped: skipped.length,
      passed: passed.length,
      suppressed: suppressed.length,
      baselined: baselined.length,
      older: older.length,
    },
    findings,
    unknown,
    skipped,
    passed,
    suppressed,
    baselined,
    gone,
    older,
  }
}

const NS = 'openshift-gitops'
const spokeApp = subject('bm', 'Application', NS, 'branding-bm')

function hop(of: Hop['subject'], parent: number | null, rest: Partial<Hop>): Hop {
  return {
    subject: of,
    parent,
    edge: 'generates',
    state: 'ok',
    since: NOW,
    source: '',
    message: '',
    evidence: [],
    ...rest,
  }
}

/** The chain of the example in section 6a. */
export const HOPS: readonly Hop[] = [
  hop(subject('hub', 'ApplicationSet', NS, 'branding-pull'), null, { since: ago(200), message: '2 generated' }),
  hop(subject('hub', 'Placement', NS, 'production-clusters'), 0, {
    edge: 'selects',
    since: ago(570),
    message: '2 selected: bm, sno',
  }),
  hop(subject('hub', 'GitOpsCluster', NS, 'gitops-production'), 1, {
    edge: 'registers',
    since: ago(570),
    message: 'Ready',
  }),
  hop(subject('hub', 'Secret', NS, 'bm-application-manager-cluster-secret'), 2, {
    edge: 'registers',
    since: ago(2 * 3600 + 60),
    message: 'token renews in 21h',
  }),
  hop(subject('hub', 'Application', NS, 'branding-bm'), 0, { since: ago(190), message: 'skip-reconcile set' }),
  hop(subject('hub', 'ManifestWork', 'bm', 'branding-bm-1a2b3'), 4, {
    edge: 'wraps',
    since: ago(185),
    message: 'Applied, Available',
  }),
  hop(spokeApp, 5, {
    edge: 'delivers',
    state: 'broken',
    since: ago(40),
    message: 'SyncFailed: cannot create consoles.operator.openshift.io',
  }),
]

export const TRACE_FINDING: ReportedFinding = {
  ...symptom('x'),
  code: 'FLT0507',
  slug: 'spoke-controller-forbidden',
  category: 'spokes',
  subject: spokeApp,
  message: 'The controller service account may not create the kind it deploys.',
  fix: 'grant create on consoles.operator.openshift.io',
  fixCommand: [],
  fixInGit: false,
}

export const BROKEN: ApplicationTrace = {
  apiVersion: 'fleetctl/v1',
  kind: 'ApplicationTrace',
  version: '0.1.0',
  source: { type: 'recording', name: 'lab', now: NOW, problems: [], notes: [] },
  clusters: CLUSTERS,
  application: subject('hub', 'Application', NS, 'branding-bm'),
  model: 'pull',
  modelReason: 'label pull-to-ocm-managed-cluster',
  spoke: 'bm',
  hops: HOPS,
  firstBroken: spokeApp,
  finding: TRACE_FINDING,
  unseen: [],
}

/** The same chain with its last hop in another state and nothing broken. */
export function chain(state: Hop['state'], message = ''): ApplicationTrace {
  const last = HOPS.at(-1)
  const hops = last === undefined ? HOPS : [...HOPS.slice(0, -1), { ...last, state, message }]
  return { ...BROKEN, hops, firstBroken: null, finding: null }
}

export const LIST: TraceList = {
  apiVersion: 'fleetctl/v1',
  kind: 'ApplicationSetTrace',
  version: '0.1.0',
  source: BROKEN.source,
  clusters: CLUSTERS,
  subject: subject('hub', 'ApplicationSet', NS, 'branding-pull'),
  traces: [BROKEN, { ...chain('ok'), application: subject('hub', 'Application', NS, 'branding-sno'), spoke: 'sno' }],
  finding: null,
}
