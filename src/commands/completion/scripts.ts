/**
 * Completion scripts. Each asks `fleetctl __complete WORD...` for candidates, one a line with an optional description behind
 * a tab, and a last line `:N` where N is 0 when files may be offered too and 4 when not (the protocol of cobra, which kubectl
 * expects of its plugins).
 */

const BASH = `# bash completion for fleetctl
_fleetctl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" output directive
  output="$("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" || return
  directive="\${output##*:}"
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    [[ "$candidate" == :* ]] || [[ "$candidate" != "$current"* ]] || COMPREPLY+=("$candidate")
  done <<< "$output"
  if [[ "$directive" == 0 && \${#COMPREPLY[@]} -eq 0 ]]; then compopt -o default 2>/dev/null; fi
}
complete -F _fleetctl fleetctl
`

const ZSH = `#compdef fleetctl
# zsh completion for fleetctl
_fleetctl() {
  local -a lines candidates
  local line directive=4
  lines=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    if [[ "$line" == :* ]]; then directive="\${line#:}"
    elif [[ -n "$line" ]]; then candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}\${\${line#*$'\\t'}:+:\${line#*$'\\t'}}")
    fi
  done
  _describe 'fleetctl' candidates
  if [[ "$directive" == 0 ]]; then _files; fi
}
if [[ "\${funcstack[1]}" == _fleetctl ]]; then _fleetctl "$@"; else compdef _fleetctl fleetctl; fi
`

const FISH = `# fish completion for fleetctl
function __fleetctl_complete
  set -l words (commandline -opc) (commandline -ct)
  fleetctl __complete $words[2..-1] 2>/dev/null | string match -v ':*'
end
complete -c fleetctl -a '(__fleetctl_complete)'
`

const POWERSHELL = `# PowerShell completion for fleetctl
Register-ArgumentCompleter -Native -CommandName fleetctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($wordToComplete -eq '') { $words += '' }
  fleetctl __complete @words 2>$null | Where-Object { $_ -notlike ':*' } | ForEach-Object {
    $candidate, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $candidate }
    [System.Management.Automation.CompletionResult]::new($candidate, $candidate, 'ParameterValue', $description)
  }
}
`

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL } as const
