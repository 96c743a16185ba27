# bash completion for devaccess(1), made by 'devaccess completion bash'.

_devaccess() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= options= operands= paths= word
  # A value after "=" is a word of its own when "=" breaks words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = && $COMP_CWORD -gt 1 ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case $previous in
    --from|-f|--output|-o)
      COMPREPLY=($(compgen -f -- "$current"))
      return ;;
    --color)
      COMPREPLY=($(compgen -W 'auto always never' -- "$current"))
      return ;;
  esac
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || { command=$word; break; }
  done
  case $command in
    '')
      options='--color= --help --version'
      operands='status list check explain snapshot decide completion' ;;
    status)
      options='--user= --pid= --unit= --groups= --with-cap= --without-cap= --json --color= --help --version'
      operands= ;;
    list)
      options='--probe --user= --pid= --unit= --groups= --with-cap= --without-cap= --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb' ;;
    check)
      options='--read --write --search --list --create --user= --pid= --unit= --groups= --with-cap= --without-cap= --wait --probe --from= --quiet --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb album' paths=1 ;;
    explain)
      options='--read --write --search --list --create --user= --pid= --unit= --groups= --with-cap= --without-cap= --probe --container= --from= --example --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb album' paths=1 ;;
    snapshot)
      options='--read --write --search --list --create --user= --pid= --unit= --groups= --with-cap= --without-cap= --probe --redact --output= --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb album' paths=1 ;;
    decide)
      options='--from= --json --color= --help --version'
      operands= ;;
    completion)
      options='--color= --help --version'
      operands=bash ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    COMPREPLY=($(compgen -W "$operands" -- "$current"))
    [[ $paths && $current == */* ]] && COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -F _devaccess devaccess
