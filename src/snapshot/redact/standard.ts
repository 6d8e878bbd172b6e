import { NAME_WORDS, TEXT_WORDS } from './vocabulary.ts'

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(word => word !== '')

/** Words that stand in names of other people's making: of hosts, of Kubernetes' objects, in templates and revisions. */
const MORE = wordsOf(`
  com net org io dev test local svc www api apps app corp internal lan
  main master head latest stable true false yes no in of is the to by at on it an or and as
  clusters cluster node nodes worker control plane ingress lb
  spec meta basename path normalized slug kustomization base overlays overlay values chart charts
  kubeadm scheduler etcd proxy dns coredns metrics server default application manager
  deployment service configmap job cronjob daemonset replicaset hpa pdb pvc
`)

/** Words of which standard names are made: replaced nowhere, or the checks would not know these names any more. */
const HARD: ReadonlySet<string> = new Set(wordsOf(NAME_WORDS))
/** Words of texts: a user's name may be one, and is replaced then, as a whole. */
const SOFT: ReadonlySet<string> = new Set([...wordsOf(TEXT_WORDS), ...MORE])

/** Is the word (in lower case) one that says nothing of a user? */
export function isStandardWord(word: string): boolean {
  return word.length < 2 || /^\d+$/.test(word) || /^v\d+([a-z]+\d*)?$/.test(word) || HARD.has(word) || SOFT.has(word)
}

/** Would names that Kubernetes, Argo CD or OCM give be lost with it? */
export function isReservedWord(word: string): boolean {
  return word.length < 2 || HARD.has(word)
}

const NAMESPACES =
  /^(default|hub|argocd|hive|multicluster-engine|operators|olm|(kube|openshift|open-cluster-management|stackrox)(-.*)?|cert-manager|gatekeeper-system|kyverno)$/

/** Names that every installation has: of namespaces, of the hub as a managed cluster, of a spoke in its own Argo CD. */
export function isStandardName(name: string): boolean {
  return name === '' || NAMESPACES.test(name) || /^(local-cluster|in-cluster|global|system:.*)$/.test(name)
}

const DOMAINS = [
  'svc|cluster\\.local|localhost|local|svc\\..*',
  '(.*\\.)?(k8s|kubernetes|open-cluster-management|argoproj|openshift|operatorframework|cert-manager|jetstack|k14s|helm)\\.io',
  '(.*\\.)?(redhat|coreos|docker|fluxcd|kyverno|istio)\\.(com|io)',
  '(www\\.)?(github|gitlab)\\.com|bitbucket\\.org|quay\\.io|ghcr\\.io|(.*\\.)?gcr\\.io|(.*\\.)?pkg\\.dev|registry\\.npmjs\\.org',
]
const STANDARD_HOST = new RegExp(`^(${DOMAINS.join('|')})$`)

/** Hosts that are everybody's: services inside a cluster, API groups, public registries and forges. */
export function isStandardHost(host: string): boolean {
  return STANDARD_HOST.test(host) || /\.svc(\.cluster\.local\.?)?$/.test(host)
}
