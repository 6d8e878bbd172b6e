import { readFileSync } from 'node:fs'
import { isObject } from '../../../src/raw.ts'
import { pki } from '../../support/pki.ts'
import { base64, type Case, copyOf, DAY } from './case.ts'

const NAMESPACE = 'openshift-gitops'
const YEAR = 365 * DAY
const DATA_SOURCE = 'apps.open-cluster-management.io/data-source'

/** A real certificate, good from 2020 to 2120. */
const CERTIFICATE = base64(readFileSync(pki('server.crt'), 'utf8'))

/** A `config` as Argo CD reads it. Recordings hold none: all values of Secrets were replaced. */
const config = (tlsClientConfig: object) => base64(JSON.stringify({ tlsClientConfig }))

/** What is right today and will not be: after an upgrade, or when something runs out. */
export const UPGRADE_CASES: readonly Case[] = [
  {
    slug: 'app-server-literal',
    fleet: 'acm-2.14-healthy',
    fault: 'somebody wrote an Application by hand, with the API URL of a cluster',
    change: p =>
      copyOf(p, `hub/Application/${NAMESPACE}/compliance-operator-bm`, 'by-hand', raw => {
        if (isObject(raw.metadata)) delete raw.metadata.ownerReferences
      }),
    subject: `${NAMESPACE}/Application/by-hand`,
    severity: 'warning',
    says: /names the API URL of cluster "bm"; an upgrade to ACM 2\.16 changes the URL/,
  },
  {
    slug: 'app-server-literal',
    fleet: 'acm-2.14-healthy',
    fault: 'the same on a newer hub, whose cluster proxy is not there yet',
    change: p => {
      copyOf(p, `hub/Application/${NAMESPACE}/compliance-operator-bm`, 'by-hand', raw => {
        if (isObject(raw.metadata)) delete raw.metadata.ownerReferences
      })
      const secret = `hub/Secret/${NAMESPACE}/bm-application-manager-cluster-secret`
      p.set(secret, ['metadata', 'labels', DATA_SOURCE], 'managed-service-account')
    },
    subject: `${NAMESPACE}/Application/by-hand`,
    severity: 'info',
    says: /a cluster proxy on the hub changes the URL/,
  },
  {
    slug: 'secret-certificate-expiring',
    fleet: 'push-healthy',
    fault: 'a cluster is pushed to with a client certificate, and that is over',
    change: p => {
      const secret = `hub/Secret/${NAMESPACE}/bm-application-manager-cluster-secret`
      p.set(secret, ['data', 'config'], config({ certData: CERTIFICATE, keyData: 'CANARY' }))
      p.later(95 * YEAR)
    },
    subject: `${NAMESPACE}/Secret/bm-application-manager-cluster-secret`,
    severity: 'error',
    says: /The client certificate in the cluster secret of "bm" expired \d+d ago/,
  },
  {
    slug: 'secret-certificate-expiring',
    fleet: 'push-healthy',
    fault: 'the CA of a cluster is about to end',
    change: p => {
      const secret = `hub/Secret/${NAMESPACE}/sno-application-manager-cluster-secret`
      p.set(secret, ['data', 'config'], config({ caData: CERTIFICATE }))
      p.later(Date.UTC(2119, 11, 22) - Date.UTC(2026, 10, 30))
    },
    subject: `${NAMESPACE}/Secret/sno-application-manager-cluster-secret`,
    severity: 'warning',
    says: /The CA in the cluster secret of "sno" expires in \d+d and was not renewed/,
  },
  {
    slug: 'secret-certificate-expiring',
    fleet: 'agent-healthy',
    fault: 'nobody writes the cluster secret of an agent anew',
    change: p => {
      p.set(`hub/Secret/${NAMESPACE}/cluster-bm`, ['data', 'config'], config({ certData: CERTIFICATE }))
      p.later(95 * YEAR)
    },
    subject: `${NAMESPACE}/Secret/cluster-bm`,
    severity: 'warning',
    says: /client certificate in the cluster secret of "bm" expired/,
  },
]
