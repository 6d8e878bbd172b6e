export const KUBERNETES_VERSION: string
export function findBinaries(): string | undefined
export function whyNoApiServer(): string | undefined
export function ensureBinaries(): Promise<string>
