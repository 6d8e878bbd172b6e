import { BlockList, isIP } from 'node:net'
import { UsageError } from '../errors.ts'

type ProxyEnvironment = Readonly<Record<string, string | undefined>>

/**
 * The proxy that leads to an API server, or undefined for a direct connection: the kubeconfig's `proxy-url` first, then
 * HTTPS_PROXY (HTTP_PROXY for plain http) unless NO_PROXY covers the host. As kubectl does it (Go's httpproxy package):
 * upper case beats lower case, loopback addresses are never proxied through the environment.
 *
 * @throws UsageError when the address of the proxy is no URL that we can use.
 */
export function proxyFor(server: URL, proxyUrl: string, env: ProxyEnvironment): URL | undefined {
  if (proxyUrl !== '') return parseProxy(proxyUrl, "the kubeconfig's proxy-url")
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const address = env[name] || env[name.toLowerCase()] || ''
  if (address === '') return undefined
  const host = hostOf(server)
  if (isLoopback(host)) return undefined
  if (isExcluded(host, portOf(server), env.NO_PROXY || env.no_proxy || '')) return undefined
  return parseProxy(address, name)
}

/**
 * Does a NO_PROXY list cover this host? Entries: `*`, an address, a CIDR range, `example.com` (with its subdomains),
 * `.example.com` (subdomains only); each but `*` and ranges may end in `:port`.
 */
export function isExcluded(host: string, port: string, noProxy: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  for (const part of noProxy.split(',')) {
    const entry = part.trim().toLowerCase()
    if (entry === '') continue
    if (entry === '*') return true
    if (entry.includes('/')) {
      if (inRange(name, entry)) return true
      continue
    }
    const [pattern, onlyPort] = splitPort(entry)
    if (onlyPort !== '' && onlyPort !== port) continue
    if (isIP(pattern) !== 0) {
      if (sameAddress(name, pattern)) return true
      continue
    }
    const domain = pattern.replace(/^\*\./, '.')
    if (domain.startsWith('.') ? name.endsWith(domain) : name === domain || name.endsWith(`.${domain}`)) return true
  }
  return false
}

/** Address of a proxy without user and password: fit for messages. */
export function proxyText(proxy: URL): string {
  return `${proxy.protocol}//${proxy.host}`
}

function parseProxy(address: string, origin: string): URL {
  const given = address.includes('://') ? address : `http://${address}`
  if (!URL.canParse(given)) throw new UsageError(`${origin} is not a URL`)
  const url = new URL(given)
  if (!['http:', 'https:', 'socks5:', 'socks5h:'].includes(url.protocol)) {
    throw new UsageError(`${origin} has the scheme ${url.protocol.slice(0, -1)}; use http, https or socks5`)
  }
  return url
}

function hostOf(server: URL): string {
  return server.hostname.replace(/^\[|\]$/g, '')
}

function portOf(server: URL): string {
  if (server.port !== '') return server.port
  return server.protocol === 'https:' ? '443' : '80'
}

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1'
}

function splitPort(entry: string): readonly [string, string] {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(entry)
  if (bracketed !== null) return [bracketed[1] ?? '', bracketed[2] ?? '']
  if (isIP(entry) === 6) return [entry, '']
  const colon = entry.lastIndexOf(':')
  return colon < 0 ? [entry, ''] : [entry.slice(0, colon), entry.slice(colon + 1)]
}

function inRange(host: string, range: string): boolean {
  const family = isIP(host)
  const [network = '', bits = ''] = range.split('/')
  if (family === 0 || isIP(network) !== family || !/^\d+$/.test(bits)) return false
  const prefix = Number(bits)
  if (prefix > (family === 4 ? 32 : 128)) return false
  const block = new BlockList()
  block.addSubnet(network, prefix, family === 4 ? 'ipv4' : 'ipv6')
  return block.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

function sameAddress(host: string, address: string): boolean {
  const family = isIP(address)
  return isIP(host) === family && inRange(host, `${address}/${family === 4 ? 32 : 128}`)
}
