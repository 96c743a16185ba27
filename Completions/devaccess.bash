# bash completion for devaccess(1), made by 'devaccess completion bash'.

# Completes one of the words in $1.
_devaccess_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

# Completes the last item of a list with commas; an item may have a sign.
_devaccess_list() {
  local head=${current%"${current##*,}"} item=${current##*,}
  if [[ $item == [+-]* ]]; then
    head+=${item:0:1} item=${item:1}
  fi
  mapfile -t COMPREPLY < <(compgen -P "$head" -W "$1" -- "$item")
  compopt -o nospace 2>/dev/null
}

# Adds names of files; readline then puts a slash and no space behind a directory.
_devaccess_files() {
  local files
  mapfile -t files < <(compgen -f -- "$current")
  COMPREPLY+=("${files[@]}")
  compopt -o filenames 2>/dev/null
}

# The identifiers of grants, which start the lines of their list.
_devaccess_grants() {
  local word
  devaccess grants 2>/dev/null | while read -r word _; do
    [[ $word =~ ^[0-9a-f]{16}$ ]] && echo "$word"
  done
}

# Completes files of udev rules and directories.
_devaccess_rule_files() {
  mapfile -t COMPREPLY < <(compgen -d -- "$current"; compgen -f -X '!*.rules' -- "$current")
  compopt -o filenames 2>/dev/null
}

_devaccess() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= options= operands= paths= grants= rest= i
  COMPREPLY=()
  # Where "=" breaks words, a value after it is a word of its own.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = && $COMP_CWORD -gt 1 ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  # The first word that is neither an option nor its value is the command.
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --) rest=$((i + 1)); break ;;
      =) ((i += 1)) ;;
      --exec|--format|--name|--access|--method|--timeout|--for|--again|-u|--user|-p|--pid|-U|--unit|-G|--groups|--with-cap|--without-cap|--rule|--action|--container|-f|--from|-o|--output|--color)
        [[ ${COMP_WORDS[i+1]} == = ]] || ((i += 1)) ;;
      -*) ;;
      *) command=${command:-${COMP_WORDS[i]}} ;;
    esac
  done
  # Behind "--" there is no option: a command of the shell's, or what is left to be named.
  if [[ $rest && $command == @(request) ]]; then
    if ((COMP_CWORD == rest)); then
      mapfile -t COMPREPLY < <(compgen -c -- "$current")
    else
      _devaccess_files
    fi
    return
  fi
  [[ $rest ]] || case $previous in
    --exec)
      _devaccess_files
      return ;;
    --format)
      _devaccess_words 'waybar'
      return ;;
    --access)
      _devaccess_words 'add read-write'
      return ;;
    --method)
      _devaccess_words 'authorized creation portal capability broker'
      return ;;
    --for)
      _devaccess_words '10min 1h 1d'
      return ;;
    -u|--user)
      mapfile -t COMPREPLY < <(compgen -u -- "$current")
      return ;;
    -p|--pid)
      _devaccess_words "$(cd /proc && echo [0-9]*)"
      return ;;
    -U|--unit)
      _devaccess_words "$(systemctl list-unit-files --type=service --no-legend --no-pager 2>/dev/null | while read -r word _; do [[ $word == *@.service ]] || echo "$word"; done)"
      return ;;
    -G|--groups)
      _devaccess_list "$(compgen -g)"
      return ;;
    --with-cap)
      _devaccess_list 'chown dac_override dac_read_search fowner fsetid kill setgid setuid setpcap linux_immutable net_bind_service net_broadcast net_admin net_raw ipc_lock ipc_owner sys_module sys_rawio sys_chroot sys_ptrace sys_pacct sys_admin sys_boot sys_nice sys_resource sys_time sys_tty_config mknod lease audit_write audit_control setfcap mac_override mac_admin syslog wake_alarm block_suspend audit_read perfmon bpf checkpoint_restore'
      return ;;
    --without-cap)
      _devaccess_list 'chown dac_override dac_read_search fowner fsetid kill setgid setuid setpcap linux_immutable net_bind_service net_broadcast net_admin net_raw ipc_lock ipc_owner sys_module sys_rawio sys_chroot sys_ptrace sys_pacct sys_admin sys_boot sys_nice sys_resource sys_time sys_tty_config mknod lease audit_write audit_control setfcap mac_override mac_admin syslog wake_alarm block_suspend audit_read perfmon bpf checkpoint_restore'
      return ;;
    --rule)
      _devaccess_rule_files
      return ;;
    --action)
      _devaccess_words 'add change remove move online offline bind unbind'
      return ;;
    --container)
      _devaccess_words 'docker podman systemd kubernetes'
      return ;;
    -f|--from)
      _devaccess_files
      return ;;
    -o|--output)
      _devaccess_files
      return ;;
    --color)
      _devaccess_words 'auto always never'
      return ;;
  esac
  case $command in
    '')
      options='--color= --help --version'
      operands='status list check explain rules users watch top request grant revoke grants snapshot decide completion help' ;;
    status)
      options='--user= --pid= --unit= --groups= --with-cap= --without-cap= --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb album' ;;
    list)
      options='--probe --force --user= --pid= --unit= --groups= --with-cap= --without-cap= --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb' ;;
    check)
      options='--read --write --append --execute --search --list --create --user= --pid= --unit= --groups= --with-cap= --without-cap= --wait --free --probe --force --from= --quiet --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb album' paths=1 ;;
    explain)
      options='--verbose --read --write --append --execute --search --list --create --user= --pid= --unit= --groups= --with-cap= --without-cap= --probe --force --container= --from= --example --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb album' paths=1 ;;
    rules)
      options='--rule= --action= --from= --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb' paths=1 ;;
    users)
      options='--verbose --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb' paths=1 ;;
    watch)
      options='--read --write --append --execute --search --list --create --user= --pid= --unit= --groups= --with-cap= --without-cap= --use --notify --exec= --format= --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb album' paths=1 ;;
    top)
      options='--read --write --append --execute --search --list --create --user= --pid= --unit= --groups= --with-cap= --without-cap= --from= --example --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb album' paths=1 ;;
    request)
      options='--read --write --name= --access= --select --method= --timeout= --force --json --color= --help --version'
      operands='camera microphone album' paths=1 ;;
    grant)
      options='--user= --read --write --for= --permanent --dry-run --again= --settle --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb album' paths=1 ;;
    revoke)
      options='--user= --overdue --dry-run --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb album' paths=1 grants=1 ;;
    grants)
      options='--json --color= --help --version'
      operands='' ;;
    snapshot)
      options='--read --write --append --execute --search --list --create --user= --pid= --unit= --groups= --with-cap= --without-cap= --probe --force --redact --output= --json --color= --help --version'
      operands='camera microphone gpu serial input hidraw kvm usb album' paths=1 ;;
    decide)
      options='--from= --json --color= --help --version'
      operands='' ;;
    completion)
      options='--color= --help --version'
      operands='bash zsh fish' ;;
    help)
      options='--color= --help --version'
      operands='status list check explain rules users watch top request grant revoke grants snapshot decide completion help NODE_ABSENT NODE_ABSENT_NO_DRIVER USB_DRIVER_BOUND MODULE_LOAD_REFUSED MODULE_NOT_BUILT USB_NOT_AUTHORIZED USB_NOT_CONFIGURED NODE_NO_DRIVER NODE_DEVICE_GONE NODE_NOT_A_DEVICE NODE_OTHER_DEVICE NODE_HIDDEN NODE_RENUMBERED HARDWARE_OFF BOOT_RACE UDEV_NOT_RUNNING WRONG_NODE_METADATA WRONG_NODE_PIPELINE LOOPBACK_CAPS MODE_OWNER MODE_GROUP GROUP_NOT_MEMBER GROUP_NOT_REFRESHED GROUPS_DROPPED ACL_MASK ACL_NAMED_ENTRY ACL_GROUP_ENTRY ACL_ABSENT ACL_STALE UACCESS_NOT_TAGGED UACCESS_NOT_ACTIVE PARENT_NOT_SEARCHABLE AUX_NODE GID_MISMATCH USERNS_UNMAPPED CAPABILITY_NOT_EFFECTIVE MOUNT_NODEV MOUNT_RO MOUNT_NOEXEC FILE_IMMUTABLE FILE_APPEND_ONLY MOUNT_PROPAGATION NFS_IDMAP FUSE_OTHER_USER PATH_NOT_A_DIRECTORY PATH_TOO_LONG SYMLINK_LOOP SYMLINK_REFUSED OPEN_FLAG_REFUSED CGROUP_DEVICE CONTAINER_HOTPLUG CONTAINER_NO_ACCESS UNIT_PRIVATE_DEVICES UNIT_POLICY_OUTDATED UNIT_DYNAMIC_USER UNIT_PROTECT_HOME UNIT_INACCESSIBLE_PATH UNIT_ROOT_DIRECTORY SELINUX APPARMOR LANDLOCK SECCOMP SNAP_INTERFACE FLATPAK_DEVICE FLATPAK_FILESYSTEM SANDBOX_PRIVATE_DEV UDEV_DATABASE_HIDDEN PORTAL_STORED_NO PORTAL_STORED_ASK PORTAL_SERVICE BUSY NODE_TAKEN LOCK_DIR PORT_PROBED USB_CLAIMED POLKIT_REFUSED OPEN_FAILED USB_BANDWIDTH ALBUM_DIR_MISSING ALBUM_TRAVERSE UNKNOWN' ;;
  esac
  if [[ ! $rest && $current == -* ]]; then
    _devaccess_words "$options"
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  else
    [[ $grants ]] && operands+=" $(_devaccess_grants)"
    _devaccess_words "$operands"
    [[ $paths ]] && _devaccess_files
  fi
}
complete -F _devaccess devaccess
