import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PKI = join(dirname(fileURLToPath(import.meta.url)), 'pki')

/** Path of a test certificate or key, see pki/README.md. */
export const pki = (name: string): string => join(PKI, name)
