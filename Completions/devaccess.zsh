#compdef devaccess
# zsh completion for devaccess(1), made by 'devaccess completion zsh'.

_devaccess_units() {
  local -a units=(${${(f)"$(systemctl list-unit-files --type=service --no-legend --no-pager 2>/dev/null)"}%% *})
  units=(${units:#*@.service})
  compadd -a units
}

_devaccess_processes() {
  compadd - /proc/[0-9]##(N:t)
}

_devaccess_capabilities() {
  _values -s , capability \
    chown dac_override dac_read_search fowner fsetid kill setgid setuid setpcap linux_immutable net_bind_service net_broadcast net_admin net_raw ipc_lock ipc_owner sys_module sys_rawio sys_chroot sys_ptrace sys_pacct sys_admin sys_boot sys_nice sys_resource sys_time sys_tty_config mknod lease audit_write audit_control setfcap mac_override mac_admin syslog wake_alarm block_suspend audit_read perfmon bpf checkpoint_restore
}

# The name of a group behind a sign that adds or removes it.
_devaccess_groups() {
  compset -P '[+-]'
  _groups
}

_devaccess_target() {
  _alternative 'kinds:kind:(camera microphone gpu serial input hidraw kvm usb album)' \
    'files:path:_files'
}

_devaccess_device() {
  _alternative 'kinds:kind:(camera microphone gpu serial input hidraw kvm usb)' \
    'files:path:_files'
}

# Each identifier is shown with the rest of its line.
_devaccess_grants() {
  local -a grants=(${(M)${(f)"$(devaccess grants 2>/dev/null)"}:#[0-9a-f](#c16) *})
  compadd "$@" -l -d grants - ${grants%% *}
}

_devaccess_grant_or_target() {
  _alternative 'grants:grant:_devaccess_grants' \
    'kinds:kind:(camera microphone gpu serial input hidraw kvm usb album)' 'files:path:_files'
}

_devaccess() {
  local curcontext=$curcontext context state state_descr line
  local -A opt_args
  local -a commands=(
    'status:summarize access to the camera and the album'
    'list:list devices and your access to each'
    'check:report in one line and by exit status whether access is allowed'
    'explain:show why access is allowed or refused, and how to change it'
    'rules:show which udev rules apply to a device, and why a rule does not work'
    'users:show which processes have a device open'
    'watch:report changes in the access to a device, or in the processes that use it'
    'top:show all devices and their users in a full-screen view'
    'request:request access, and run a command with the device already open'
    'grant:give a user access to one device for a while'
    'revoke:revoke a grant'
    'grants:list active grants'
    'snapshot:save everything that an answer depends on'
    'decide:answer access questions in JSON, one per line'
    'completion:print the completions for a shell'
    'help:describe a command or a cause code'
  )
  _arguments -C : \
    '--color=[use colours\: auto, always or never]:when:(auto always never)' \
    '(-h --help)'{-h,--help}'[show this help]' \
    '(-V --version)'{-V,--version}'[show the version]' \
    '1: :->command' '*:: :->rest' && return
  case $state in
    command) _describe -t commands command commands ;;
    rest)
      case $words[1] in
      status)
        _arguments -s -S : \
          '(-u --user)'{-u+,--user=}'[answer for this user, as after a new login]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as if it were started now]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[assume these supplementary groups (A,B), or add (+A) or remove (-A) one]:list:_sequence _devaccess_groups' \
            '--with-cap=[assume that these capabilities are also effective]:cap,...:_devaccess_capabilities' \
            '--without-cap=[assume that these capabilities are dropped]:cap,...:_devaccess_capabilities' \
            '(-j --json)'{-j,--json}'[print JSON instead of text, one object per line]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*:kind:(camera microphone gpu serial input hidraw kvm usb album)' ;;
      list)
        _arguments -s -S : \
          '--probe[open each device (only cameras if KIND is not given) and report the result; this can wake a camera]' \
            '--force[with --probe\: also open devices where opening has side effects, such as a watchdog]' \
            '(-u --user)'{-u+,--user=}'[answer for this user, as after a new login]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as if it were started now]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[assume these supplementary groups (A,B), or add (+A) or remove (-A) one]:list:_sequence _devaccess_groups' \
            '--with-cap=[assume that these capabilities are also effective]:cap,...:_devaccess_capabilities' \
            '--without-cap=[assume that these capabilities are dropped]:cap,...:_devaccess_capabilities' \
            '(-j --json)'{-j,--json}'[print JSON instead of text, one object per line]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1:kind:(camera microphone gpu serial input hidraw kvm usb)' ;;
      check)
        _arguments -s -S : \
          '(-r --read)'{-r,--read}'[check read access; with --write, read and write access together]' \
            '(-w --write)'{-w,--write}'[check write access; with --read, read and write access together]' \
            '(-a --append)'{-a,--append}'[check append access to a file]' \
            '(-x --execute)'{-x,--execute}'[check execute access to a file]' \
            '--search[check whether names in a directory can be looked up]' \
            '--list[check whether the names in a directory can be listed]' \
            '--create[check whether a file can be created in directory PATH, or as PATH if it does not exist]' \
            '(-u --user)'{-u+,--user=}'[answer for this user, as after a new login]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as if it were started now]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[assume these supplementary groups (A,B), or add (+A) or remove (-A) one]:list:_sequence _devaccess_groups' \
            '--with-cap=[assume that these capabilities are also effective]:cap,...:_devaccess_capabilities' \
            '--without-cap=[assume that these capabilities are dropped]:cap,...:_devaccess_capabilities' \
            '--wait=-[wait until access is allowed, at most SECONDS; without a number, forever]::seconds: ' \
            '--free[report a device as refused while another program keeps it busy; with --wait, wait until it is free]' \
            '--probe[open each device and report the result; this can wake a camera]' \
            '--force[with --probe\: also open devices where opening has side effects, such as a watchdog]' \
            '(-f --from)'{-f+,--from=}'[answer from the snapshot in FILE (- for standard input)]:file:_files' \
            '(-q --quiet)'{-q,--quiet}'[print nothing; only set the exit status]' \
            '(-j --json)'{-j,--json}'[print JSON instead of text, one object per line]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*: :_devaccess_target' ;;
      explain)
        _arguments -s -S : \
          '(-v --verbose)'{-v,--verbose}'[also show the evidence, every fix, and what was not observed]' \
            '(-r --read)'{-r,--read}'[check read access; with --write, read and write access together]' \
            '(-w --write)'{-w,--write}'[check write access; with --read, read and write access together]' \
            '(-a --append)'{-a,--append}'[check append access to a file]' \
            '(-x --execute)'{-x,--execute}'[check execute access to a file]' \
            '--search[check whether names in a directory can be looked up]' \
            '--list[check whether the names in a directory can be listed]' \
            '--create[check whether a file can be created in directory PATH, or as PATH if it does not exist]' \
            '(-u --user)'{-u+,--user=}'[answer for this user, as after a new login]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as if it were started now]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[assume these supplementary groups (A,B), or add (+A) or remove (-A) one]:list:_sequence _devaccess_groups' \
            '--with-cap=[assume that these capabilities are also effective]:cap,...:_devaccess_capabilities' \
            '--without-cap=[assume that these capabilities are dropped]:cap,...:_devaccess_capabilities' \
            '--probe[open each device and report the result; this can wake a camera]' \
            '--force[with --probe\: also open devices where opening has side effects, such as a watchdog]' \
            '--container=[also show how to pass the device to a container or unit]:engine:(docker podman systemd kubernetes)' \
            '(-f --from)'{-f+,--from=}'[answer from the snapshot in FILE (- for standard input)]:file:_files' \
            '--example[explain the built-in example]' \
            '(-j --json)'{-j,--json}'[print JSON instead of text, one object per line]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1: :_devaccess_target' ;;
      rules)
        _arguments -s -S : \
          '--rule=[explain only why the rules in FILE, or the rule at LINE, have no effect]:file[\:line]:_files -g "*.rules"' \
            '--action=[assume this event\: add (the default), change, bind and so on]:action:(add change remove move online offline bind unbind)' \
            '(-f --from)'{-f+,--from=}'[use the rules and the device of the snapshot in FILE (- for standard input)]:file:_files' \
            '(-j --json)'{-j,--json}'[print JSON instead of text, one object per line]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1: :_devaccess_device' ;;
      users)
        _arguments -s -S : \
          '(-v --verbose)'{-v,--verbose}'[also show the path, age and descriptors of each program]' \
            '(-j --json)'{-j,--json}'[print JSON instead of text, one object per line]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*: :_devaccess_device' ;;
      watch)
        _arguments -s -S : \
          '(-r --read)'{-r,--read}'[check read access; with --write, read and write access together]' \
            '(-w --write)'{-w,--write}'[check write access; with --read, read and write access together]' \
            '(-a --append)'{-a,--append}'[check append access to a file]' \
            '(-x --execute)'{-x,--execute}'[check execute access to a file]' \
            '--search[check whether names in a directory can be looked up]' \
            '--list[check whether the names in a directory can be listed]' \
            '--create[check whether a file can be created in directory PATH, or as PATH if it does not exist]' \
            '(-u --user)'{-u+,--user=}'[answer for this user, as after a new login]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as if it were started now]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[assume these supplementary groups (A,B), or add (+A) or remove (-A) one]:list:_sequence _devaccess_groups' \
            '--with-cap=[assume that these capabilities are also effective]:cap,...:_devaccess_capabilities' \
            '--without-cap=[assume that these capabilities are dropped]:cap,...:_devaccess_capabilities' \
            '--use[report the programs that open and close cameras, microphones or the devices named]' \
            '--notify[like --use, and show a notification when a program starts or stops using a device]' \
            '--exec=[run COMMAND with sh -c for each line; it gets JSON on standard input and DEVACCESS_* variables]:command:_files' \
            '--format=[like --use, in the format of a status bar; FORMAT is waybar]:format:(waybar)' \
            '(-j --json)'{-j,--json}'[print JSON instead of text, one object per line]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*: :_devaccess_target' ;;
      top)
        _arguments -s -S : \
          '(-r --read)'{-r,--read}'[check read access; with --write, read and write access together]' \
            '(-w --write)'{-w,--write}'[check write access; with --read, read and write access together]' \
            '(-a --append)'{-a,--append}'[check append access to a file]' \
            '(-x --execute)'{-x,--execute}'[check execute access to a file]' \
            '--search[check whether names in a directory can be looked up]' \
            '--list[check whether the names in a directory can be listed]' \
            '--create[check whether a file can be created in directory PATH, or as PATH if it does not exist]' \
            '(-u --user)'{-u+,--user=}'[answer for this user, as after a new login]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as if it were started now]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[assume these supplementary groups (A,B), or add (+A) or remove (-A) one]:list:_sequence _devaccess_groups' \
            '--with-cap=[assume that these capabilities are also effective]:cap,...:_devaccess_capabilities' \
            '--without-cap=[assume that these capabilities are dropped]:cap,...:_devaccess_capabilities' \
            '(-f --from)'{-f+,--from=}'[show the snapshot in FILE]:file:_files' \
            '--example[explain the built-in example]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*: :_devaccess_target' ;;
      request)
        _arguments -s -S : \
          '(-r --read)'{-r,--read}'[open the device for reading; with --write, for both together]' \
            '(-w --write)'{-w,--write}'[open the device for writing; with --read, for both together]' \
            '--name=[use the camera or microphone with this name, as shown by '\''devaccess list'\'']:name: ' \
            '--access=[for the album\: add, or read-write, which is the default]:level:(add read-write)' \
            '--select[for the album\: let the user choose files in a desktop dialog]' \
            '--method=[try only this method\: authorized, creation, portal, capability, broker]:method:(authorized creation portal capability broker)' \
            '--timeout=[wait for an answer at most SECONDS; 120 by default, and 600 with --select]:seconds: ' \
            '--force[open the device even if opening has side effects, as with a watchdog]' \
            '(-j --json)'{-j,--json}'[print JSON instead of text, one object per line]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1: :{ compadd camera microphone album; _files }' '*:::command:_normal' ;;
      grant)
        _arguments -s -S : \
          '(-u --user)'{-u+,--user=}'[the user who gets access]:name or uid:_users' \
            '(-r --read)'{-r,--read}'[grant read access; with --write, read and write access together]' \
            '(-w --write)'{-w,--write}'[grant write access; with --read, read and write access together]' \
            '--for=[end the grant after TIME, such as 10min or '\''1h 30min'\''; the default is 1h]:time:(10min 1h 1d)' \
            '--permanent[keep the grant until it is revoked, using a udev rule for this device]' \
            '--dry-run[print the commands that would do the same, and change nothing]' \
            '--again=[renew grant ID after the device was reconnected (used by udev rules)]:id: ' \
            '--settle[with --again\: repeat until no session switch has happened for two seconds]' \
            '(-j --json)'{-j,--json}'[print JSON instead of text, one object per line]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1: :_devaccess_target' ;;
      revoke)
        _arguments -s -S : \
          '(-u --user)'{-u+,--user=}'[end only the grants to this user]:name or uid:_users' \
            '--overdue[end expired grants and re-arm the timers of the others]' \
            '--dry-run[print the commands that would do the same, and change nothing]' \
            '(-j --json)'{-j,--json}'[print JSON instead of text, one object per line]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1: :_devaccess_grant_or_target' ;;
      grants)
        _arguments -s -S : \
          '(-j --json)'{-j,--json}'[print JSON instead of text, one object per line]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' ;;
      snapshot)
        _arguments -s -S : \
          '(-r --read)'{-r,--read}'[check read access; with --write, read and write access together]' \
            '(-w --write)'{-w,--write}'[check write access; with --read, read and write access together]' \
            '(-a --append)'{-a,--append}'[check append access to a file]' \
            '(-x --execute)'{-x,--execute}'[check execute access to a file]' \
            '--search[check whether names in a directory can be looked up]' \
            '--list[check whether the names in a directory can be listed]' \
            '--create[check whether a file can be created in directory PATH, or as PATH if it does not exist]' \
            '(-u --user)'{-u+,--user=}'[answer for this user, as after a new login]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as if it were started now]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[assume these supplementary groups (A,B), or add (+A) or remove (-A) one]:list:_sequence _devaccess_groups' \
            '--with-cap=[assume that these capabilities are also effective]:cap,...:_devaccess_capabilities' \
            '--without-cap=[assume that these capabilities are dropped]:cap,...:_devaccess_capabilities' \
            '--probe[open each device and report the result; this can wake a camera]' \
            '--force[with --probe\: also open devices where opening has side effects, such as a watchdog]' \
            '--redact[replace user names, home directories, serial numbers and similar data]' \
            '(-o --output)'{-o+,--output=}'[write to FILE instead of standard output]:file:_files' \
            '(-j --json)'{-j,--json}'[wrap each snapshot in a JSON object like those of other commands]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*: :_devaccess_target' ;;
      decide)
        _arguments -s -S : \
          '(-f --from)'{-f+,--from=}'[read the cases from FILE (- for standard input)]:file:_files' \
            '(-j --json)'{-j,--json}'[accepted; the output is always JSON]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' ;;
      completion)
        _arguments -s -S : \
          '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1:shell:(bash zsh fish)' ;;
      help)
        _arguments -s -S : \
          '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1: :{ _describe -t commands command commands; compadd NODE_ABSENT NODE_ABSENT_NO_DRIVER USB_DRIVER_BOUND MODULE_LOAD_REFUSED MODULE_NOT_BUILT USB_NOT_AUTHORIZED USB_NOT_CONFIGURED NODE_NO_DRIVER NODE_DEVICE_GONE NODE_NOT_A_DEVICE NODE_OTHER_DEVICE NODE_HIDDEN NODE_RENUMBERED HARDWARE_OFF BOOT_RACE UDEV_NOT_RUNNING WRONG_NODE_METADATA WRONG_NODE_PIPELINE LOOPBACK_CAPS MODE_OWNER MODE_GROUP GROUP_NOT_MEMBER GROUP_NOT_REFRESHED GROUPS_DROPPED ACL_MASK ACL_NAMED_ENTRY ACL_GROUP_ENTRY ACL_ABSENT ACL_STALE UACCESS_NOT_TAGGED UACCESS_NOT_ACTIVE PARENT_NOT_SEARCHABLE AUX_NODE GID_MISMATCH USERNS_UNMAPPED CAPABILITY_NOT_EFFECTIVE MOUNT_NODEV MOUNT_RO MOUNT_NOEXEC FILE_IMMUTABLE FILE_APPEND_ONLY MOUNT_PROPAGATION NFS_IDMAP FUSE_OTHER_USER PATH_NOT_A_DIRECTORY PATH_TOO_LONG SYMLINK_LOOP SYMLINK_REFUSED OPEN_FLAG_REFUSED CGROUP_DEVICE CONTAINER_HOTPLUG CONTAINER_NO_ACCESS UNIT_PRIVATE_DEVICES UNIT_POLICY_OUTDATED UNIT_DYNAMIC_USER UNIT_PROTECT_HOME UNIT_INACCESSIBLE_PATH UNIT_ROOT_DIRECTORY SELINUX APPARMOR LANDLOCK SECCOMP SNAP_INTERFACE FLATPAK_DEVICE FLATPAK_FILESYSTEM SANDBOX_PRIVATE_DEV UDEV_DATABASE_HIDDEN PORTAL_STORED_NO PORTAL_STORED_ASK PORTAL_SERVICE BUSY NODE_TAKEN LOCK_DIR PORT_PROBED USB_CLAIMED POLKIT_REFUSED OPEN_FAILED USB_BANDWIDTH ALBUM_DIR_MISSING ALBUM_TRAVERSE UNKNOWN }' ;;
      esac ;;
  esac
}

if [[ ${funcstack[1]} == _devaccess ]]; then
  _devaccess "$@"
else
  compdef _devaccess devaccess
fi
