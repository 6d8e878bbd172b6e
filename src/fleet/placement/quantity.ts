const POWERS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/

/**
 * A Kubernetes resource quantity (`500m`, `32Gi`, `1e3`) as a floating-point number, undefined for text that is none.
 * Source: kubernetes/apimachinery pkg/api/resource/quantity.go.
 */
export function approximateQuantity(text: string): number | undefined {
  const match = QUANTITY.exec(text)
  if (match === null) return undefined
  const [, digits = '', exponent, suffix = ''] = match
  const power = exponent === undefined ? POWERS[suffix] : 10 ** Number(exponent)
  return power === undefined ? undefined : Number(digits) * power
}
