/// The directory trees that root's programs trust, because they execute, load or read the files
/// there.
enum TrustedDirectories {
  /// A file, or a directory with its contents.
  private struct Place {
    var path: String
    /// The purpose, as the rest of a sentence that starts with the path.
    var purpose: String
  }

  /// Returns a description of a file or directory, if root trusts its contents.
  ///
  /// - Parameters:
  ///   - node: A file or directory that root owns.
  ///   - isInContainer: Whether the node belongs to the image of a container.
  /// - Returns: The guarded object; `nil` if root does not trust it.
  static func trusted(_ node: Node, isInContainer: Bool) -> GuardedObject? {
    let path = node.path
    if let place = places.filter({ path.isAtOrBelow($0.path) })
      .max(by: { $0.path.utf8.count < $1.path.utf8.count })
    {
      // Many images contain program sources in `/usr/src`.
      guard !exceptions.contains(where: path.isAtOrBelow), !isData(node, of: place),
        !(isInContainer && path.isBelow("/usr/src"))
      else { return nil }
      return GuardedObject(
        path: path, purpose: place.purpose, danger: AccessFacts.danger)
    }
    guard node.type == .directory else { return nil }
    // A user who can write to a directory can replace what it contains, unless it is sticky.
    let isAbove = path == "/" || places.contains { $0.path.isBelow(path) } || path == "/home"
    guard isAbove, node.mode & 0o1000 == 0 else { return nil }
    return GuardedObject(
      path: path, purpose: "holds directories that root trusts",
      danger: "a user who can write to it can replace them and become root")
  }

  /// Returns a description of the object at a path, if it contains a secret that only root should
  /// read.
  static func secret(at path: String) -> GuardedObject? {
    if let (purpose, reason) = secrets[path] {
      return GuardedObject(path: path, purpose: purpose, danger: reason)
    }
    let secret = secretTrees.first { path.isAtOrBelow($0.path) }
    guard let secret else {
      let name = path.split(separator: "/").last ?? ""
      let isKey = path.isBelow("/etc") && keyEnds.contains { name.hasSuffix($0) }
      return isKey
        ? GuardedObject(path: path, purpose: "holds a private key", danger: readers) : nil
    }
    return GuardedObject(path: path, purpose: secret.purpose, danger: readers)
  }

  // MARK: - Secrets

  private static let readers = "only root should have access"

  private static let secrets: [String: (String, String)] = {
    let hashes = (
      "holds the password hashes",
      "only root and group shadow should read it; other programs use PAM"
    )
    let groups = (
      "holds the passwords of groups", "only root and group shadow should read it"
    )
    return [
      "/etc/shadow": hashes, "/etc/shadow-": hashes, "/etc/gshadow": groups,
      "/etc/gshadow-": groups,
      "/etc/sudoers": (
        "defines who may become root", "only root should read and change it (visudo)"
      ),
      "/etc/krb5.keytab": ("holds this machine's Kerberos keys", readers),
      "/etc/security/opasswd": ("holds old password hashes", readers),
      "/etc/ppp/chap-secrets": ("holds passwords", readers),
      "/etc/ppp/pap-secrets": ("holds passwords", readers),
      "/etc/ipsec.secrets": ("holds the keys of connections", readers),
      "/proc/kcore": ("exposes the memory of every program", readers),
      "/proc/kmsg": ("gives each kernel message to one reader only", readers),
      "/var/lib/systemd/credential.secret": ("holds the key of systemd's credentials", readers),
      "/var/lib/systemd/random-seed": ("seeds the random numbers of the next boot", readers),
    ]
  }()

  private static let secretTrees = [
    Place(path: "/etc/sudoers.d", purpose: "defines who may become root"),
    Place(path: "/etc/NetworkManager/system-connections", purpose: "holds passwords of networks"),
    Place(path: "/etc/credstore", purpose: "holds secrets of services"),
    Place(path: "/etc/credstore.encrypted", purpose: "holds secrets of services"),
    Place(path: "/etc/cryptsetup-keys.d", purpose: "holds keys of encrypted disks"),
    Place(path: "/etc/wireguard", purpose: "holds private keys"),
    Place(path: "/etc/letsencrypt/archive", purpose: "holds private keys"),
    Place(path: "/etc/letsencrypt/keys", purpose: "holds private keys"),
    Place(path: "/etc/pki/tls/private", purpose: "holds private keys"),
    Place(path: "/etc/ssl/private", purpose: "holds private keys"),
    Place(path: "/root", purpose: "is in root's home directory"),
    Place(path: "/run/credentials", purpose: "holds secrets of services"),
    Place(path: "/var/lib/docker", purpose: "holds the files of all containers"),
    Place(path: "/var/lib/containerd", purpose: "holds the files of all containers"),
    Place(path: "/var/lib/samba/private", purpose: "holds passwords"),
    Place(path: "/var/lib/sss/db", purpose: "holds password hashes"),
  ]

  /// The suffixes of files with private keys, such as `/etc/ssh/ssh_host_rsa_key`.
  private static let keyEnds = ["_key", ".key", ".keytab", "-key.pem", "privkey.pem"]

  // MARK: - Trust

  /// Returns whether a node contains only data of a program outside the system.
  private static func isData(_ node: Node, of place: Place) -> Bool {
    if place.path == "/dev" { return node.type != .directory }
    guard place.path == "/opt" else { return false }
    let parts = node.path.split(separator: "/")
    let isProgram = node.type == .regular && node.mode & 0o111 != 0
    return !isProgram && parts.count > 1
      && !parts.contains { ["bin", "sbin", "lib", "lib64", "libexec"].contains($0) }
      && !(parts.last?.contains(".so") ?? false)
  }

  /// Directories inside trusted trees that are not trusted themselves.
  private static let exceptions = [
    "/dev/hugepages", "/dev/mqueue", "/dev/pts", "/dev/shm", "/usr/share/nginx/html",
    "/var/lib/libvirt/images",
  ]

  private static let places: [Place] = [
    "is part of the user and group database": [
      "/etc/passwd", "/etc/passwd-", "/etc/group", "/etc/group-", "/etc/subuid", "/etc/subgid",
      "/etc/nsswitch.conf", "/etc/userdb", "/run/userdb", "/var/lib/AccountsService",
      "/var/lib/sss",
    ],
    "decides who may log in": [
      "/etc/pam.conf", "/etc/pam.d", "/usr/lib/pam.d", "/etc/security", "/etc/securetty",
      "/etc/login.defs", "/etc/ssh", "/etc/krb5.conf", "/etc/sssd",
    ],
    "decides who may act as root": [
      "/etc/sudo.conf", "/etc/doas.conf", "/etc/polkit-1", "/usr/share/polkit-1", "/run/sudo",
      "/var/db/sudo", "/var/lib/polkit-1", "/var/lib/sudo",
    ],
    "holds jobs that root runs": [
      "/etc/crontab", "/etc/anacrontab", "/etc/cron.d", "/etc/cron.hourly", "/etc/cron.daily",
      "/etc/cron.weekly", "/etc/cron.monthly", "/etc/cron.yearly", "/var/spool/anacron",
      "/var/spool/at", "/var/spool/cron",
    ],
    "configures what systemd runs as root": [
      "/etc/systemd", "/run/systemd", "/lib/systemd", "/usr/lib/systemd",
      "/usr/local/lib/systemd", "/var/lib/machines", "/var/lib/portables", "/var/lib/systemd",
    ],
    "is run by root when the machine starts": [
      "/etc/init", "/etc/init.d", "/etc/inittab", "/etc/rc.d", "/etc/rc.local", "/etc/rcS.d",
      "/run/initctl",
    ],
    "holds rules that udev follows as root": [
      "/etc/udev", "/run/udev", "/lib/udev", "/usr/lib/udev",
    ],
    "decides which libraries programs load": [
      "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload",
      "/var/cache/ldconfig",
    ],
    "decides which modules the kernel loads": [
      "/etc/modprobe.d", "/etc/modules", "/etc/modules-load.d", "/run/modprobe.d",
      "/run/modules-load.d", "/lib/firmware", "/lib/modprobe.d", "/lib/modules",
      "/usr/lib/firmware", "/usr/lib/modprobe.d", "/usr/lib/modules", "/usr/src", "/var/lib/dkms",
    ],
    "is read by the shells of all users, including root": [
      "/etc/bash.bashrc", "/etc/bashrc", "/etc/environment", "/etc/environment.d", "/etc/fish",
      "/etc/profile", "/etc/profile.d", "/etc/skel", "/etc/zsh",
    ],
    "decides which services the message bus starts": ["/etc/dbus-1", "/usr/share/dbus-1"],
    "is part of the package manager's data": [
      "/etc/apk", "/etc/apt", "/etc/dnf", "/etc/dpkg", "/etc/pacman.conf", "/etc/pacman.d",
      "/etc/portage", "/etc/yum.conf", "/etc/yum.repos.d", "/etc/zypp", "/gnu/store", "/nix",
      "/snap", "/var/cache/apt", "/var/cache/dnf", "/var/cache/pacman", "/var/lib/apt",
      "/var/lib/dnf", "/var/lib/dpkg", "/var/lib/flatpak", "/var/lib/pacman", "/var/lib/rpm",
      "/var/lib/snapd",
    ],
    "is used to start the machine": [
      "/boot", "/efi", "/etc/crypttab", "/etc/default/grub", "/etc/dracut.conf",
      "/etc/dracut.conf.d", "/etc/fstab", "/etc/grub.d", "/etc/initramfs-tools", "/etc/kernel",
      "/etc/mkinitcpio.conf", "/usr/lib/kernel",
    ],
    "is part of the programs that root runs": [
      "/bin", "/sbin", "/opt", "/usr/bin", "/usr/games", "/usr/libexec", "/usr/local/bin",
      "/usr/local/sbin", "/usr/sbin",
    ],
    "is part of the libraries and programs that root loads": [
      "/lib", "/lib32", "/lib64", "/libx32", "/usr/lib", "/usr/lib32", "/usr/lib64",
      "/usr/libx32", "/usr/local",
    ],
    "is part of the system's programs": ["/usr"],
    "is part of the settings of programs that root runs": ["/etc"],
    "is in root's home directory": ["/root"],
    "belongs to a service that runs as root": [
      "/run/NetworkManager", "/run/sysctl.d", "/run/tmpfiles.d", "/var/lib/NetworkManager",
      "/var/lib/cloud", "/var/lib/containerd", "/var/lib/containers", "/var/lib/dhcp",
      "/var/lib/docker", "/var/lib/incus", "/var/lib/kubelet", "/var/lib/libvirt", "/var/lib/lxc",
      "/var/lib/lxd", "/var/lib/puppet", "/var/lib/rancher",
    ],
    "changes how the kernel works": ["/proc", "/sys/firmware", "/sys/kernel"],
    "holds the device nodes of the machine": ["/dev"],
  ].flatMap { purpose, paths in paths.map { Place(path: $0, purpose: purpose) } }
}
