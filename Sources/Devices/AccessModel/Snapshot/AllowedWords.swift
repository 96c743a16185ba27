/// Words that a redacted snapshot may contain.
enum AllowedWords {
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

extension Collection<UInt8> {
  /// Returns the identifiers in the text that are unique to a machine or an object on it.
  ///
  /// These are UUIDs, hardware addresses of six bytes, and hexadecimal numbers of at least 24
  /// digits, such as container IDs and machine IDs.
  func identifiers() -> [String] {
    var found: [String] = []
    var run: [UInt8] = []
    func end() {
      found += run.identifiers.map { String(decoding: $0, as: UTF8.self) }
      run.removeAll(keepingCapacity: true)
    }
    for byte in self {
      if byte.isHexadecimal || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ":") {
        run.append(byte)
      } else {
        end()
      }
    }
    end()
    return found
  }
}

extension [UInt8] {
  /// The identifiers in a run of hexadecimal digits, dashes and colons.
  ///
  /// The run can start with the end of the previous word, such as "d-" from "libpod-", and end with
  /// the start of the next one.
  fileprivate var identifiers: [[UInt8]] {
    let dash = UInt8(ascii: "-")
    let parts = split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == dash || $0 == UInt8(ascii: ":") })
    var found = parts.filter { $0.count >= 24 }.map(Array.init)
    // Each part is directly preceded by its separator.
    for (shape, separator) in [([8, 4, 4, 4, 12], dash), ([2, 2, 2, 2, 2, 2], UInt8(ascii: ":"))] {
      var index = 0
      while index + shape.count <= parts.count {
        let window = parts[index..<(index + shape.count)]
        if window.map(\.count) == shape,
          window.dropFirst().allSatisfy({ self[$0.startIndex - 1] == separator })
        {
          found.append(Array(window.joined(separator: [separator])))
          index += shape.count
        } else {
          index += 1
        }
      }
    }
    return found
  }

  /// Replaces all occurrences of a word that are not adjacent to letters or digits, ignoring case.
  mutating func replace(word: [UInt8], with placeholder: [UInt8]) {
    guard !word.isEmpty, count >= word.count else { return }
    var result: [UInt8] = []
    var index = 0
    while index < count {
      let end = index + word.count
      if end <= count, index == 0 || !self[index - 1].isWord, end == count || !self[end].isWord,
        self[index..<end].elementsEqual(word, by: { $0.lowercased == $1.lowercased })
      {
        result += placeholder
        index = end
      } else {
        result.append(self[index])
        index += 1
      }
    }
    self = result
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }

  fileprivate var isHexadecimal: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowercased)
  }

  private var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// A Boolean value that indicates whether the byte is part of a word.
  ///
  /// This is the case for ASCII letters and digits, and for all bytes of other characters.
  fileprivate var isWord: Bool {
    isDigit || self >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased)
  }
}
