import { describe, expect, test } from 'vitest'
import { failing, runCli } from './run-cli.ts'

describe('a usage error is one line on stderr, exit 2, and no usage text', () => {
  test.each([
    [['docter'], 'unknown command "docter" for "fleetctl"; did you mean "doctor"?'],
    [
      ['doctor', 'gather.tgz'],
      'unknown command "gather.tgz" for "fleetctl doctor"; a source to read is given by --from gather.tgz',
    ],
    [['xyzzy'], 'unknown command "xyzzy" for "fleetctl"; see "fleetctl --help"'],
    [['xyzzy', '--from', 'x', '--nothing'], 'unknown command "xyzzy" for "fleetctl"; see "fleetctl --help"'],
    [['doctor', 'lst'], 'unknown command "lst" for "fleetctl doctor"; did you mean "list"?'],
    [['trace', 'branding-bm'], 'unknown command "branding-bm" for "fleetctl trace"; see "fleetctl trace --help"'],
    [['help', 'docter'], 'unknown command "docter" for "fleetctl"; did you mean "doctor"?'],
    [['doctor', '--form', 'x'], 'unknown flag --form for "fleetctl doctor"; did you mean "--from"?'],
    [['doctor', '--xyzzy'], 'unknown flag --xyzzy for "fleetctl doctor"; see "fleetctl doctor --help"'],
    [['doctor', '--from'], 'flag --from needs a value'],
    [['doctor', '--from='], '--from needs a value'],
    [['trace', 'app'], 'missing name for "fleetctl trace app"; see "fleetctl trace app --help"'],
    [
      ['trace', 'appset', 'a', 'b'],
      'unexpected argument "b" for "fleetctl trace appset"; see "fleetctl trace appset --help"',
    ],
    [['doctor', '--color', 'blue'], 'invalid value "blue" for --color: expected auto, always or never'],
    [
      ['doctor', '--fail-on', 'warnings'],
      'invalid value "warnings" for --fail-on: expected error, warning or info; did you mean "warning"?',
    ],
    [
      ['doctor', '--timeout', 'soon'],
      'invalid value "soon" for --timeout: expected a duration such as 30s, 5m or 1h30m',
    ],
    [['doctor', '--qps', '0'], 'invalid value "0" for --qps: expected a number above 0'],
    [['doctor', '--burst', '1.5'], 'invalid value "1.5" for --burst: expected a number from 1'],
    [['doctor', '--verbose=x'], 'invalid value "x" for -v: expected a number from 0 to 9'],
    [['doctor', '--from', 'x', '-o', 'jsn'], 'unknown output format "jsn" for doctor; did you mean "json"?'],
    [
      ['doctor', '--from', 'x', '-o', 'tree'],
      'unknown output format "tree" for doctor: expected text, wide, short, junit, json, yaml, jsonl, name, jsonpath, jsonpath-file, custom-columns',
    ],
    [
      ['doctor', '--from', 'x', '-o', 'json', '-o', 'yaml'],
      'only one format can go to stdout, not json and yaml; write the others with -o FORMAT=FILE',
    ],
    [['doctor', '--from', 'x', '-o', 'json=a', '-o', 'yaml=a'], '-o names the file "a" twice'],
    [['doctor', '--from', 'x', '-o', 'json='], '-o json= names no file'],
    [['doctor', '--from', 'x', '-o', 'jsonpath'], '-o jsonpath needs a value: -o jsonpath=...'],
    [['doctor', '--from', 'x', '-o', 'jsonpath={.a'], 'jsonpath "{.a": a brace is not closed'],
    [
      ['doctor', '--from', 'x', '-o', 'jsonpath-file=/no/such'],
      'cannot read the template "/no/such": no such file, or no right to read it',
    ],
    [['doctor', '--from', 'x', '-o', 'json=/no/such/folder/f'], 'cannot write "/no/such/folder/f": no such folder'],
    [['doctor', '--from', 'x', '-o', 'json=/tmp'], 'cannot write "/tmp": it is a folder'],
    [
      ['doctor', '--from', 'x', '--checks', 'FLT0120'],
      'no check is called "FLT0120" (--checks); did you mean "FLT0102"?',
    ],
    [
      ['doctor', '--from', 'x', '--ignore', 'nothing'],
      'no check is called "nothing" (--ignore); "fleetctl doctor list" lists them all',
    ],
    [
      ['doctor', '--from', 'x', '--category', 'selektion'],
      'no check has the category "selektion" (--category); did you mean "selection"?',
    ],
    [['explain', 'placement-emty'], 'no check is called "placement-emty"; did you mean "placement-empty"?'],
    [['schema', 'DoctorReprt'], 'there is no schema "DoctorReprt"; did you mean "DoctorReport"?'],
    [
      ['completion', 'bsh'],
      'no completion for shell "bsh": there are bash, zsh, fish, powershell; did you mean "bash"?',
    ],
    [['trace', 'app', 'a/b/c'], '"a/b/c" is not [NAMESPACE/]NAME or app/NAME'],
    [['trace', 'app', 'appset/x'], '"appset/x" is no app; use "fleetctl trace appset x"'],
    [['trace', 'app', 'a/x', '-n', 'b'], 'two namespaces: "a/x" says a, --namespace says b'],
    [['doctor'], 'no kubeconfig'],
  ])('%j', async (argv, message) => {
    expect(await runCli(argv)).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` })
  })

  test('what the engine says of the source is told the same way', async () => {
    const engine = { openPath: failing('cannot read x: no such file\nor folder \x1b[31m') }
    expect(await runCli(['doctor', '--from', 'x'], { engine })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: cannot read x: no such file or folder\n',
    })
  })

  test('a mistake in a format is found before anything is read', async () => {
    let opened = 0
    const engine = {
      openPath: async () => {
        opened++
        throw new Error('read')
      },
    }
    expect((await runCli(['doctor', '--from', 'x', '-o', 'jsonpath={'], { engine })).code).toBe(2)
    expect((await runCli(['trace', 'app', 'x', '--from', 'x', '-o', 'nothing'], { engine })).code).toBe(2)
    expect(opened).toBe(0)
  })
})
