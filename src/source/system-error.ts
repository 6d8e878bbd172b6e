const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such file or folder',
  ELOOP: 'symbolic links that lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  EISDIR: 'it is a folder',
  EMFILE: 'too many open files',
  EIO: 'input/output error',
}

/** Why a file operation failed, in words, without the path and without a stack. */
export function reasonOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (typeof code === 'string') return REASONS[code] ?? code
  return error instanceof Error ? error.message : String(error)
}
