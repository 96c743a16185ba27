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

_devaccess() {
  local curcontext=$curcontext context state state_descr line
  local -A opt_args
  local -a commands=(
    'status:show whether you may use the camera and the photo album'
    'list:list devices, and what you may do with each'
    'check:answer in one line and by exit status'
    'explain:show why access is allowed or refused, and how to change it'
    'rules:show which udev rules made a device node what it is, and why a rule does not work'
    'users:show which processes have a device open'
    'watch:print the answer, or with --use who uses it, now and each time that changes'
    'top:show all devices, their status and their users on a full screen'
    'request:ask for access, and run a command with the open device'
    'grant:give a user access to one device for a while'
    'revoke:take back what '\''devaccess grant'\'' gave'
    'grants:list the access that '\''devaccess grant'\'' gave'
    'snapshot:save everything that an answer depends on'
    'decide:answer cases, one JSON object per line (for scripts)'
    'completion:print the completions for a shell'
    'help:show the help for a command, or describe a cause'
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
          '(-u --user)'{-u+,--user=}'[answer for a new login of this user]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as it would start]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[what if its groups were A,B? +A adds a group, -A removes one]:list:_sequence _devaccess_groups' \
            '--with-cap=[what if these capabilities were effective, too?]:cap,...:_devaccess_capabilities' \
            '--without-cap=[what if these capabilities were dropped?]:cap,...:_devaccess_capabilities' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*:kind:(camera microphone gpu serial input hidraw kvm usb album)' ;;
      list)
        _arguments -s -S : \
          '--probe[open each device, without KIND only cameras, and report the result; this can wake a camera]' \
            '--force[with --probe\: open a device that acts when it is opened, such as a watchdog]' \
            '(-u --user)'{-u+,--user=}'[answer for a new login of this user]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as it would start]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[what if its groups were A,B? +A adds a group, -A removes one]:list:_sequence _devaccess_groups' \
            '--with-cap=[what if these capabilities were effective, too?]:cap,...:_devaccess_capabilities' \
            '--without-cap=[what if these capabilities were dropped?]:cap,...:_devaccess_capabilities' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1:kind:(camera microphone gpu serial input hidraw kvm usb)' ;;
      check)
        _arguments -s -S : \
          '(-r --read)'{-r,--read}'[ask for read access; with --write, for both at once]' \
            '(-w --write)'{-w,--write}'[ask for write access; with --read, for both at once]' \
            '(-a --append)'{-a,--append}'[ask to append to a file]' \
            '(-x --execute)'{-x,--execute}'[ask to execute a file]' \
            '--search[ask to look up names in a directory]' \
            '--list[ask to list the names in a directory]' \
            '--create[ask to create a file\: in the directory, or with that name]' \
            '(-u --user)'{-u+,--user=}'[answer for a new login of this user]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as it would start]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[what if its groups were A,B? +A adds a group, -A removes one]:list:_sequence _devaccess_groups' \
            '--with-cap=[what if these capabilities were effective, too?]:cap,...:_devaccess_capabilities' \
            '--without-cap=[what if these capabilities were dropped?]:cap,...:_devaccess_capabilities' \
            '--wait=-[wait until access is allowed, for SECONDS at most; without a number, forever]::seconds: ' \
            '--free[say yes only while no other program is in the way; with --wait, wait for that]' \
            '--probe[open each device and report the result; this can wake a camera]' \
            '--force[with --probe\: open a device that acts when it is opened, such as a watchdog]' \
            '(-f --from)'{-f+,--from=}'[read from FILE; - is standard input]:file:_files' \
            '(-q --quiet)'{-q,--quiet}'[print nothing; only set the exit status]' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*: :_devaccess_target' ;;
      explain)
        _arguments -s -S : \
          '(-v --verbose)'{-v,--verbose}'[also show the evidence, every fix, and what was not observed]' \
            '(-r --read)'{-r,--read}'[ask for read access; with --write, for both at once]' \
            '(-w --write)'{-w,--write}'[ask for write access; with --read, for both at once]' \
            '(-a --append)'{-a,--append}'[ask to append to a file]' \
            '(-x --execute)'{-x,--execute}'[ask to execute a file]' \
            '--search[ask to look up names in a directory]' \
            '--list[ask to list the names in a directory]' \
            '--create[ask to create a file\: in the directory, or with that name]' \
            '(-u --user)'{-u+,--user=}'[answer for a new login of this user]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as it would start]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[what if its groups were A,B? +A adds a group, -A removes one]:list:_sequence _devaccess_groups' \
            '--with-cap=[what if these capabilities were effective, too?]:cap,...:_devaccess_capabilities' \
            '--without-cap=[what if these capabilities were dropped?]:cap,...:_devaccess_capabilities' \
            '--probe[open each device and report the result; this can wake a camera]' \
            '--force[with --probe\: open a device that acts when it is opened, such as a watchdog]' \
            '--container=[also show how to give the device to a container or unit]:engine:(docker podman systemd kubernetes)' \
            '(-f --from)'{-f+,--from=}'[read from FILE; - is standard input]:file:_files' \
            '--example[explain the built-in example]' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1: :_devaccess_target' ;;
      rules)
        _arguments -s -S : \
          '--rule=[why does this rule, or this line of it, not take effect?]:file[:line]:_files' \
            '--action=[what happens to the device\: add (the default), change, bind and so on]:action:(add change remove move online offline bind unbind)' \
            '(-f --from)'{-f+,--from=}'[read from FILE; - is standard input]:file:_files' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1: :_devaccess_device' ;;
      users)
        _arguments -s -S : \
          '(-v --verbose)'{-v,--verbose}'[also show each program'\''s path, age and number of descriptors]' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*: :_devaccess_device' ;;
      watch)
        _arguments -s -S : \
          '(-r --read)'{-r,--read}'[ask for read access; with --write, for both at once]' \
            '(-w --write)'{-w,--write}'[ask for write access; with --read, for both at once]' \
            '(-a --append)'{-a,--append}'[ask to append to a file]' \
            '(-x --execute)'{-x,--execute}'[ask to execute a file]' \
            '--search[ask to look up names in a directory]' \
            '--list[ask to list the names in a directory]' \
            '--create[ask to create a file\: in the directory, or with that name]' \
            '(-u --user)'{-u+,--user=}'[answer for a new login of this user]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as it would start]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[what if its groups were A,B? +A adds a group, -A removes one]:list:_sequence _devaccess_groups' \
            '--with-cap=[what if these capabilities were effective, too?]:cap,...:_devaccess_capabilities' \
            '--without-cap=[what if these capabilities were dropped?]:cap,...:_devaccess_capabilities' \
            '--use[show programs that open and close cameras, microphones or the devices named]' \
            '--notify[as --use, and show a notification when a program starts or stops using one]' \
            '--exec=[run COMMAND with sh -c for each line, which it gets as JSON and in variables]:command:_files' \
            '--format=[as --use, but print what a bar reads\: waybar]:format:(waybar)' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*: :_devaccess_target' ;;
      top)
        _arguments -s -S : \
          '(-r --read)'{-r,--read}'[ask for read access; with --write, for both at once]' \
            '(-w --write)'{-w,--write}'[ask for write access; with --read, for both at once]' \
            '(-a --append)'{-a,--append}'[ask to append to a file]' \
            '(-x --execute)'{-x,--execute}'[ask to execute a file]' \
            '--search[ask to look up names in a directory]' \
            '--list[ask to list the names in a directory]' \
            '--create[ask to create a file\: in the directory, or with that name]' \
            '(-u --user)'{-u+,--user=}'[answer for a new login of this user]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as it would start]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[what if its groups were A,B? +A adds a group, -A removes one]:list:_sequence _devaccess_groups' \
            '--with-cap=[what if these capabilities were effective, too?]:cap,...:_devaccess_capabilities' \
            '--without-cap=[what if these capabilities were dropped?]:cap,...:_devaccess_capabilities' \
            '(-f --from)'{-f+,--from=}'[show the snapshot in FILE]:file:_files' \
            '--example[explain the built-in example]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*: :_devaccess_target' ;;
      request)
        _arguments -s -S : \
          '(-r --read)'{-r,--read}'[ask for read access; with --write, for both at once]' \
            '(-w --write)'{-w,--write}'[ask for write access; with --read, for both at once]' \
            '--name=[the camera or microphone that is called NAME, as list shows it]:name: ' \
            '--access=[of the album\: add, to add pictures; read-write, the default, to read them too]:level:(add read-write)' \
            '--select[of the album\: have a person choose files in a dialog of the desktop]' \
            '--road=[try only this road\: authorized, creation, portal, capability, broker]:road:(authorized creation portal capability broker)' \
            '--timeout=[wait for an answer for SECONDS at most; 120 without, 600 with --select]:seconds: ' \
            '--force[open a device that acts when it is opened, such as a watchdog]' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1: :{ compadd camera microphone album; _files }' '*:::command:_normal' ;;
      grant)
        _arguments -s -S : \
          '(-u --user)'{-u+,--user=}'[the user who gets access]:name or uid:_users' \
            '(-r --read)'{-r,--read}'[ask for read access; with --write, for both at once]' \
            '(-w --write)'{-w,--write}'[ask for write access; with --read, for both at once]' \
            '--for=[end the grant after TIME, such as 10min or 1h 30min; the default is 1h]:time:(10min 1h 1d)' \
            '--permanent[write a rule of udev for this very device, which stays until it is revoked]' \
            '--dry-run[print the commands that would do the same, and do nothing]' \
            '--again=[give a running grant again on a device that came back; udev calls this]:id: ' \
            '--settle[with --again\: until no session was switched for two seconds; systemd calls this]' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1: :_devaccess_target' ;;
      revoke)
        _arguments -s -S : \
          '(-u --user)'{-u+,--user=}'[revoke only the grants to this user]:name or uid:_users' \
            '--overdue[revoke the grants whose time is over, and have systemd end the others in time]' \
            '--dry-run[print the commands that would do the same, and do nothing]' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '1: :_devaccess_target' ;;
      grants)
        _arguments -s -S : \
          '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' ;;
      snapshot)
        _arguments -s -S : \
          '(-r --read)'{-r,--read}'[ask for read access; with --write, for both at once]' \
            '(-w --write)'{-w,--write}'[ask for write access; with --read, for both at once]' \
            '(-a --append)'{-a,--append}'[ask to append to a file]' \
            '(-x --execute)'{-x,--execute}'[ask to execute a file]' \
            '--search[ask to look up names in a directory]' \
            '--list[ask to list the names in a directory]' \
            '--create[ask to create a file\: in the directory, or with that name]' \
            '(-u --user)'{-u+,--user=}'[answer for a new login of this user]:name or uid:_users' \
            '(-p --pid)'{-p+,--pid=}'[answer for this running process]:pid:_devaccess_processes' \
            '(-U --unit)'{-U+,--unit=}'[answer for this systemd service, as it would start]:name:_devaccess_units' \
            '(-G --groups)'{-G+,--groups=}'[what if its groups were A,B? +A adds a group, -A removes one]:list:_sequence _devaccess_groups' \
            '--with-cap=[what if these capabilities were effective, too?]:cap,...:_devaccess_capabilities' \
            '--without-cap=[what if these capabilities were dropped?]:cap,...:_devaccess_capabilities' \
            '--probe[open each device and report the result; this can wake a camera]' \
            '--force[with --probe\: open a device that acts when it is opened, such as a watchdog]' \
            '--redact[replace names of people, home directories, serial numbers and the like]' \
            '(-o --output)'{-o+,--output=}'[write to FILE instead of standard output]:file:_files' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
            '--color=[use colours\: auto, always or never]:when:(auto always never)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-V --version)'{-V,--version}'[show the version]' \
            '*: :_devaccess_target' ;;
      decide)
        _arguments -s -S : \
          '(-f --from)'{-f+,--from=}'[read from FILE; - is standard input]:file:_files' \
            '(-j --json)'{-j,--json}'[print one JSON object]' \
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
            '1: :{ _describe -t commands command commands; compadd NODE_ABSENT NODE_ABSENT_NO_DRIVER USB_DRIVER_BOUND MODULE_LOAD_REFUSED MODULE_NOT_BUILT USB_NOT_AUTHORIZED USB_NOT_CONFIGURED NODE_NO_DRIVER NODE_DEVICE_GONE NODE_NOT_A_DEVICE NODE_OTHER_DEVICE NODE_HIDDEN NODE_RENUMBERED HARDWARE_OFF BOOT_RACE UDEV_NOT_RUNNING WRONG_NODE_METADATA WRONG_NODE_PIPELINE LOOPBACK_CAPS MODE_OWNER MODE_GROUP GROUP_NOT_MEMBER GROUP_NOT_REFRESHED GROUPS_DROPPED ACL_MASK ACL_NAMED_ENTRY ACL_GROUP_ENTRY ACL_ABSENT ACL_STALE UACCESS_NOT_TAGGED UACCESS_NOT_ACTIVE PARENT_NOT_SEARCHABLE AUX_NODE GID_MISMATCH USERNS_UNMAPPED CAPABILITY_NOT_EFFECTIVE MOUNT_NODEV MOUNT_RO MOUNT_NOEXEC FILE_IMMUTABLE FILE_APPEND_ONLY MOUNT_PROPAGATION NFS_IDMAP FUSE_OTHER_USER PATH_NOT_A_DIRECTORY PATH_TOO_LONG SYMLINK_LOOP SYMLINK_REFUSED OPEN_FLAG_REFUSED CGROUP_DEVICE CONTAINER_HOTPLUG CONTAINER_NO_ACCESS UNIT_PRIVATE_DEVICES UNIT_POLICY_OUTDATED UNIT_DYNAMIC_USER UNIT_PROTECT_HOME UNIT_INACCESSIBLE_PATH SELINUX APPARMOR LANDLOCK SECCOMP SNAP_INTERFACE FLATPAK_DEVICE FLATPAK_FILESYSTEM SANDBOX_PRIVATE_DEV UDEV_DATABASE_HIDDEN PORTAL_STORED_NO PORTAL_STORED_ASK PORTAL_SERVICE BUSY NODE_TAKEN LOCK_DIR PORT_PROBED USB_CLAIMED POLKIT_REFUSED OPEN_FAILED USB_BANDWIDTH ALBUM_DIR_MISSING ALBUM_TRAVERSE UNKNOWN }' ;;
      esac ;;
  esac
}

if [[ ${funcstack[1]} == _devaccess ]]; then
  _devaccess "$@"
else
  compdef _devaccess devaccess
fi
