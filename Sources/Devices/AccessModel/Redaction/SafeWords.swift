/// Words that a redacted snapshot may contain.
enum SafeWords {
  /// The first ID of regular users (`UID_MIN` in login.defs(5)); lower IDs belong to system
  /// accounts.
  static let firstPerson: UInt32 = 1000
  /// The ID of `nobody` and `nogroup`.
  static let nobody: UInt32 = 65534

  /// The directories that contain one directory per user.
  static let parentsOfHomes = ["/home", "/var/home", "/export/home", "/media", "/run/media"]

  /// Names that are common to all machines, and are kept even if a user has such a name.
  static let names: Set<String> = [
    // hier(7) and file-hierarchy(7).
    "bin", "boot", "dev", "efi", "etc", "export", "home", "lib", "lib64", "media", "mnt", "opt",
    "proc", "root", "run", "sbin", "snap", "srv", "sub", "sys", "tmp", "usr", "var", "share",
    "local", "state", "cache", "data", "block", "char", "class", "bus", "devices", "system",
    "user",
    // Directories with device nodes in `/dev`, and the groups of the nodes.
    "audio", "by-id", "by-path", "bus", "camera", "disk", "dri", "input", "kvm", "mapper",
    "media0", "plugdev", "render", "serial", "snd", "usb", "v4l", "video",
    // Directories from xdg-user-dirs (user-dirs.defaults) and the XDG base directories.
    "Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Templates", "Videos",
    ".cache", ".config", ".local", ".var",
    "", ".", "..",
  ]

  /// The container and sandbox engines, as named by container(7) and systemd-detect-virt(1).
  static let engines: Set<String> = [
    "apptainer", "bubblewrap", "containerd", "docker", "firejail", "flatpak", "kubernetes", "lxc",
    "lxc-libvirt", "oci", "openvz", "podman", "pouch", "proot", "rkt", "singularity", "snap",
    "systemd-nspawn", "wsl",
  ]

  /// The udev properties that describe the model, bus and role of a device.
  private static let properties: Set<String> = [
    "ACTION", "BUSNUM", "CURRENT_TAGS", "DEVLINKS", "DEVNAME", "DEVNUM", "DEVPATH", "DEVTYPE",
    "DRIVER", "ID_AUTOSEAT", "ID_BUS", "ID_FOR_SEAT", "ID_MODEL", "ID_MODEL_ENC",
    "ID_MODEL_FROM_DATABASE", "ID_MODEL_ID", "ID_PATH", "ID_PATH_TAG", "ID_REVISION", "ID_SEAT",
    "ID_SERIAL", "ID_TYPE", "ID_USB_DRIVER", "ID_USB_INTERFACES", "ID_USB_INTERFACE_NUM",
    "ID_USB_MODEL", "ID_USB_MODEL_ENC", "ID_USB_MODEL_ID", "ID_USB_REVISION", "ID_USB_SERIAL",
    "ID_USB_TYPE", "ID_USB_VENDOR", "ID_USB_VENDOR_ENC", "ID_USB_VENDOR_ID",
    "ID_V4L_CAPABILITIES", "ID_V4L_PRODUCT", "ID_V4L_VERSION", "ID_VENDOR", "ID_VENDOR_ENC",
    "ID_VENDOR_FROM_DATABASE", "ID_VENDOR_ID", "INTERFACE", "MAJOR", "MINOR", "MODALIAS", "NAME",
    "PRODUCT", "SUBSYSTEM", "TAGS", "TYPE",
  ]

  /// Returns whether the value of a property does not identify an individual device.
  ///
  /// A serial number in the value must be removed first.
  static func isHarmless(property: String) -> Bool {
    properties.contains(property) || property.hasPrefix("ID_INPUT")
  }

  /// The properties that contain only a serial number.
  static let serialProperties = ["ID_SERIAL_SHORT", "ID_USB_SERIAL_SHORT"]
}
