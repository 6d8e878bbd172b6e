import { describe, expect, it } from 'vitest'
import { isExcluded, proxyFor, proxyText } from '../../src/kube/proxy.ts'

const server = (url: string): URL => new URL(url)
const HUB = server('https://api.hub.example.com:6443')

describe('proxyFor', () => {
  it.each([
    ['nothing set', HUB, '', {}, undefined],
    ['HTTPS_PROXY', HUB, '', { HTTPS_PROXY: 'http://proxy:3128' }, 'http://proxy:3128'],
    ['https_proxy', HUB, '', { https_proxy: 'http://proxy:3128' }, 'http://proxy:3128'],
    ['upper case beats lower case', HUB, '', { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:2' }, 'http://a:1'],
    ['no scheme means http', HUB, '', { HTTPS_PROXY: 'proxy:3128' }, 'http://proxy:3128'],
    ['HTTP_PROXY is not for https', HUB, '', { HTTP_PROXY: 'http://proxy:3128' }, undefined],
    ['HTTP_PROXY for http', server('http://hub.example.com'), '', { HTTP_PROXY: 'http://proxy:1' }, 'http://proxy:1'],
    ['proxy-url beats the environment', HUB, 'socks5://s:1080', { HTTPS_PROXY: 'http://proxy:1' }, 'socks5://s:1080'],
    ['proxy-url beats NO_PROXY', HUB, 'http://p:1', { NO_PROXY: '*' }, 'http://p:1'],
    ['NO_PROXY', HUB, '', { HTTPS_PROXY: 'http://proxy:1', NO_PROXY: 'hub.example.com' }, undefined],
    ['loopback is never proxied', server('https://127.0.0.1:6443'), '', { HTTPS_PROXY: 'http://proxy:1' }, undefined],
    ['localhost is never proxied', server('https://localhost:6443'), '', { HTTPS_PROXY: 'http://proxy:1' }, undefined],
    ['IPv6 loopback', server('https://[::1]:6443'), '', { HTTPS_PROXY: 'http://proxy:1' }, undefined],
  ])('%s', (_, url, proxyUrl, env, expected) => {
    const proxy = proxyFor(url, proxyUrl, env)
    expect(proxy === undefined ? undefined : proxyText(proxy)).toBe(expected)
  })

  it('names what is wrong with the address', () => {
    expect(() => proxyFor(HUB, '', { HTTPS_PROXY: 'ftp://proxy' })).toThrow('HTTPS_PROXY has the scheme ftp')
    expect(() => proxyFor(HUB, 'http://', {})).toThrow("the kubeconfig's proxy-url is not a URL")
  })

  it('never shows user and password', () => {
    const proxy = proxyFor(HUB, 'http://me:secret@proxy:3128', {})
    expect(proxy === undefined ? '' : proxyText(proxy)).toBe('http://proxy:3128')
  })
})

/** Rules of Go's golang.org/x/net/http/httpproxy, whose documentation the cases are taken from. */
describe('isExcluded', () => {
  it.each([
    ['api.example.com', '443', 'example.com', true],
    ['example.com', '443', 'example.com', true],
    ['notexample.com', '443', 'example.com', false],
    ['api.example.com', '443', '.example.com', true],
    ['example.com', '443', '.example.com', false],
    ['api.example.com', '443', '*.example.com', true],
    ['API.Example.COM', '443', 'example.com', true],
    ['api.example.com', '6443', 'example.com:6443', true],
    ['api.example.com', '443', 'example.com:6443', false],
    ['10.1.2.3', '443', '10.0.0.0/8', true],
    ['11.1.2.3', '443', '10.0.0.0/8', false],
    ['10.1.2.3', '443', '10.1.2.3', true],
    ['10.1.2.3', '443', '10.1.2.3:6443', false],
    ['fd00::1', '443', 'fd00::/8', true],
    ['fd00:0:0::1', '443', 'fd00::1', true],
    ['api.example.com', '443', '10.0.0.0/8', false],
    ['anything', '443', 'a, *', true],
    ['anything', '443', '', false],
    ['api.example.com', '443', ' other.org , example.com ', true],
    ['10.1.2.3', '443', '10.0.0.0/99', false],
  ])('%s:%s by "%s" is %s', (host, port, list, expected) => {
    expect(isExcluded(host, port, list)).toBe(expected)
  })
})
