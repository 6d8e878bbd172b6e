/** What a settings file may say of a flag. */
export interface SettableFlag {
  /** The value is a path; a relative one is meant from the folder of the file. */
  readonly path?: true
  /**
   * Only the file of the user may set it: it decides who is asked and who is trusted. A project file comes with a checkout,
   * and a kubeconfig may start any program.
   */
  readonly userOnly?: true
  /** For live clusters; goes without saying with `from`. */
  readonly live?: true
  readonly help: string
}

/**
 * Flags that settings files may set, by name without `--`. All others are decisions of each call: what is written, confirmed
 * or accepted is never set by a file, and a token does not belong into one. Parts of a bootstrap have a file of their own.
 */
export const SETTABLE: Readonly<Record<string, SettableFlag>> = {
  from: { path: true, help: 'source to read' },
  hub: { help: 'folder of the source that is the hub' },
  context: { live: true, help: 'context of the hub' },
  spoke: { help: 'managed clusters to read as well' },
  'spoke-context': { live: true, help: 'contexts of managed clusters, NAME=CONTEXT' },
  'spokes-from': { live: true, path: true, userOnly: true, help: 'file that maps managed clusters to contexts' },
  'no-secrets': { help: 'read no Secret' },
  'request-timeout': { help: 'limit for one request' },
  'chunk-size': { help: 'objects per page' },
  concurrency: { help: 'lists at once' },
  kubeconfig: { path: true, userOnly: true, help: 'kubeconfig to read' },
  cluster: { userOnly: true, help: 'cluster entry of the kubeconfig' },
  user: { userOnly: true, help: 'user entry of the kubeconfig' },
  server: { live: true, userOnly: true, help: 'address of the API server' },
  as: { live: true, userOnly: true, help: 'user to impersonate' },
  'as-group': { userOnly: true, help: 'groups to impersonate' },
  'as-uid': { userOnly: true, help: 'UID to impersonate' },
  'certificate-authority': { path: true, userOnly: true, help: 'CA certificate of the API server' },
  'client-certificate': { path: true, userOnly: true, help: 'client certificate' },
  'client-key': { path: true, userOnly: true, help: 'client key' },
  'tls-server-name': { userOnly: true, help: 'name that the certificate of the API server must have' },
  output: { help: 'format; a project file may not write files' },
  color: { help: 'auto, always or never' },
  'no-emoji': { help: 'no symbols in front of states' },
  'no-headers': { help: 'no header lines' },
  'no-input': { help: 'never ask' },
  quiet: { help: 'nothing on stderr but errors' },
  verbose: { help: 'say more on stderr, 0 to 9' },
  timeout: { help: 'limit for the whole command' },
  checks: { help: 'run only these checks' },
  skip: { help: 'leave these checks out' },
  category: { help: 'run only the checks of these categories' },
  'fail-on': { help: 'exit 1 from this severity on' },
  'allow-incomplete': { help: 'exit 0, not 3, when something could not be seen' },
  'show-symptoms': { help: 'list the findings that are folded under their cause' },
  baseline: { path: true, help: 'file of findings that do not count' },
  since: { help: 'only findings that changed in this time' },
}
