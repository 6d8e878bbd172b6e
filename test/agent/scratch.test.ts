import { test } from 'vitest'
import { runDoctor } from '../../src/doctor.ts'
import { patched } from '../support/patch.ts'
const SET='hub/ApplicationSet/openshift-gitops/branding-bottom-agent'
const say = (r: Awaited<ReturnType<typeof runDoctor>>) => { const go=(fs: readonly any[], d=0): void => { for (const f of fs) { if (f.severity==='info'||f.code==='FLT0812') continue; console.log(' '.repeat(d)+f.severity, f.code, f.subject.kind+'/'+f.subject.name, f.message, '|', f.effect); go(f.explains,d+2) } }; go(r.findings) }
const cases: [string, (p: any) => void][] = [
 ['template server', p => p.set(SET, ['spec','template','spec','destination'], { server: '{{server}}', namespace: 'default' })],
 ['template server literal', p => p.set(SET, ['spec','template','spec','destination'], { server: 'https://openshift-gitops-agent-principal-resource-proxy.openshift-gitops.svc:9090?agentName=bm' })],
 ['template in-cluster', p => p.set(SET, ['spec','template','spec','destination'], { name: 'in-cluster' })],
 ['template other name', p => p.set(SET, ['spec','template','spec','destination'], { name: '{{name}}-x' })],
 ['template project missing', p => p.set(SET, ['spec','template','spec','project'], 'nope')],
 ['template project nomatch', p => { p.set(SET, ['spec','template','spec','project'], 'tight'); p.add('hub','AppProject',{metadata:{name:'tight',namespace:'openshift-gitops',uid:'u'},spec:{sourceRepos:['*'],destinations:[{name:'sno',server:'*',namespace:'*'}]}}) }],
 ['project nomatch', p => { p.set('hub/AppProject/openshift-gitops/default',['spec','destinations'],[{name:'in-cluster',server:'https://kubernetes.default.svc',namespace:'*'}]) }],
 ['dbm off', p => p.set('hub/ArgoCD/openshift-gitops/openshift-gitops',['spec','argoCDAgent','principal','destinationBasedMapping'], false)],
 ['app name -> server', p => p.set('hub/Application/openshift-gitops/branding-bottom-bm',['spec','destination'],{server:'https://openshift-gitops-agent-principal-resource-proxy.openshift-gitops.svc:9090?agentName=bm'})],
 ['app name -> api url', p => p.set('hub/Application/openshift-gitops/branding-bottom-bm',['spec','destination'],{server:'https://api.bm.example.test:6443'})],
 ['app name -> incluster', p => p.set('hub/Application/openshift-gitops/branding-bottom-bm',['spec','destination'],{name:'in-cluster'})],
 ['app other agent', p => p.set('hub/Application/openshift-gitops/branding-bottom-bm',['spec','destination'],{name:'sno'})],
 ['policy status lacks sno', p => { const o = p.edit('hub/Policy/openshift-gitops/gitops-agent-clusters-argocd-policy'); o.status.status = o.status.status.filter((s: any) => s.clustername !== 'sno'); p.remove('hub/Policy/sno/openshift-gitops.gitops-agent-clusters-argocd-policy') }],
 ['label selector', p => p.set('hub/ArgoCD/openshift-gitops/openshift-gitops',['spec','argoCDAgent','principal','labelSelector'],'argocd-agent=true')],
 ['ignore-sync', p => p.set('hub/Application/openshift-gitops/branding-bottom-bm',['metadata','labels','argocd-agent.argoproj-labs.io/ignore-sync'],'true')],
]
test('x', async () => { for (const [n, c] of cases) { console.log('== '+n); say(await runDoctor(await patched('agent-healthy', c as any))) } }, 60000)
