import type { SetUp } from './choices.ts'

/** What each set-up means for the Argo CD that deploys by push today. */
export const SET_UP_TEXTS: Readonly<Record<SetUp, string>> = {
  documented: 'the Argo CD of the hub becomes a principal and deploys nothing itself any more',
  hybrid: 'the Argo CD of the hub becomes a principal and goes on deploying by push',
  dedicated: 'a second Argo CD on the hub becomes the principal; the first one is not touched',
  upstream: "agents come with the chart of upstream Open Cluster Management, not with ACM's add-on",
}
