internal import UdevRules

/// The package with the missing drivers, for distributions that split their kernel into packages.
struct KernelPackage {
  /// The effect of installing the package, as an imperative sentence without a full stop.
  let title: String
  /// The commands that install the package.
  let commands: [String]
  /// A clause for the event after which the drivers in the package are available.
  let takesEffect: String

  /// Determines the package from the kernel's release (`uname -r`).
  ///
  /// - Returns: The package; `nil` if the distribution has all modules in one package, or if the
  ///   release does not identify the distribution.
  init?(release: String) {
    if release.isUbuntuKernel {
      self.init(ofRest: ["apt-get install linux-modules-extra-$(uname -r)"])
    } else if release.contains("-cloud-") {
      let machine = release.hasSuffix("-arm64") ? "arm64" : "amd64"
      self.init(ofKernel: "apt-get install linux-image-\(machine)")
    } else if release.hasSuffix("-virt") {
      self.init(ofKernel: "apk add linux-lts")
    } else if release.isFedoraKernel {
      self.init(ofRest: [
        "dnf install kernel-modules-$(uname -r)", "dnf install kernel-modules-extra-$(uname -r)",
      ])
    } else {
      return nil
    }
  }

  /// Creates the package of one module for OpenWrt, which has a package for each.
  init(ofModule name: String) {
    let package = "kmod-" + name.replacing("_", with: "-")
    title = "Install the package of the module (since OpenWrt 25.12, with apk add \(package))"
    commands = ["opkg update", "opkg install \(package)"]
    takesEffect = "at once"
  }

  private init(ofRest commands: [String]) {
    title = "Install the extra modules of the running kernel"
    self.commands = commands
    takesEffect = "when the device is replugged, or after a reboot"
  }

  private init(ofKernel command: String) {
    title = "Install the kernel with all drivers instead of the one for virtual machines"
    commands = [command]
    takesEffect = "after a reboot into that kernel"
  }
}

extension String {
  /// A Boolean value that indicates whether the string is the release of an Ubuntu kernel with two
  /// module packages, such as `6.8.0-45-generic`.
  var isUbuntuKernel: Bool {
    let parts = split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[1].utf8.allSatisfy(\.isDecimal) else { return false }
    let flavours = [
      "aws", "azure", "gcp", "generic", "gke", "ibm", "lowlatency", "oracle", "raspi",
    ]
    return flavours.contains(String(parts[2]))
  }

  /// A Boolean value that indicates whether the string is the release of a kernel from Fedora or an
  /// enterprise distribution, such as `6.11.5-200.fc40.x86_64`.
  var isFedoraKernel: Bool {
    split(separator: ".").contains { part in
      ["fc", "el"].contains { stem in
        part.hasPrefix(stem) && part.utf8.dropFirst(2).first?.isDecimal == true
      }
    }
  }

  /// A Boolean value that indicates whether the module is maintained outside the Linux kernel.
  ///
  /// Such a module is built separately, usually with DKMS.
  var isExternalModule: Bool {
    let stems = [
      "akvcam", "ch343", "droidcam", "evdi", "facetimehd", "nvidia", "rtl88", "spl", "v4l2loopback",
      "vbox", "vmmon", "vmnet", "zfs",
    ]
    return stems.contains(where: hasPrefix)
  }
}

/// The commands that build an external module for the running kernel.
struct KernelHeaders {
  /// A family of distributions that use the same packages and tools.
  enum Family: Hashable, Sendable {
    case alpine, arch, debian, fedora, gentoo, openSUSE, ubuntu, void
  }

  /// The commands that install the kernel headers; empty if the package is unknown or not needed.
  var install: [String] = []
  /// The command that rebuilds the modules.
  var build = "dkms autoinstall"
  /// The packages with the headers of later kernels; `nil` if they are installed anyway.
  var later: String?
  /// The conditions for the commands, other than ``buildCondition``.
  var conditions: [String] = []
  /// The condition under which the build command rebuilds the module.
  var buildCondition = "'dkms status' lists the module"

  /// Determines the header package from the kernel's release and the distribution.
  ///
  /// - Parameters:
  ///   - release: The release of the running kernel (`uname -r`).
  ///   - distribution: The `ID` from os-release(5); `nil` if it is unknown.
  init(release: String, distribution: String?) {
    switch Self.family(release: release, distribution: distribution) {
    case .arch: findArch(release)
    case .debian: findDebian(release)
    case .ubuntu: findUbuntu(release)
    case .fedora:
      let tool = release.contains(".el6.") || release.contains(".el7.") ? "yum" : "dnf"
      install = ["\(tool) install kernel-devel-$(uname -r)"]
    case .openSUSE:
      let flavour = release.split(separator: "-").last.map(String.init) ?? ""
      guard flavour.isFlavour, release.contains("-") else { break }
      install = ["zypper install kernel-\(flavour)-devel"]
      conditions = [Self.newest]
    case .alpine:
      guard let flavour = release.split(separator: "-").last.map(String.init), flavour.isFlavour
      else { break }
      install = ["apk add linux-\(flavour)-dev"]
      build = "akms install all"
      buildCondition = "'akms status' lists the module"
      conditions = [Self.newest]
    case .void:
      let series = release.split(separator: ".").prefix(2).joined(separator: ".")
      guard !series.isEmpty, series.utf8.allSatisfy({ $0.isDecimal || $0 == 0x2E }) else { break }
      install = ["xbps-install linux-headers linux\(series)-headers"]
      conditions = [Self.newest]
    case .gentoo:
      // On Gentoo, the kernel sources contain the headers.
      install = []
      build = "emerge --ask=n @module-rebuild"
      buildCondition =
        "/usr/src/linux is the source of the running kernel, and emerge built the module"
    case nil: break
    }
  }

  /// The condition for distributions that package headers only for their newest kernel.
  private static let newest = """
    no newer kernel has been installed since the machine was started (otherwise, restart first)
    """

  private mutating func findArch(_ release: String) {
    let parts = release.split(separator: "-").map(String.init)
    let numbers = release.split(separator: ".").prefix(2)
    if release.hasSuffix("MANJARO"), numbers.count == 2,
      numbers.allSatisfy({ $0.utf8.allSatisfy(\.isDecimal) })
    {
      install = ["pacman -S linux\(numbers.joined())-headers"]
    } else if release.contains("-arch") || release.contains("-artix") {
      install = ["pacman -S linux-headers"]
    } else if let flavour = parts.last, parts.count > 1, flavour.isFlavour,
      flavour.utf8.first?.isDecimal == false
    {
      // For example, 5.13.8-zen1-1-zen, 6.6.63-1-lts and 6.12.1-1-rt-lts.
      let name = parts.count > 2 && parts[parts.count - 2] == "rt" ? "rt-\(flavour)" : flavour
      install = ["pacman -S linux-\(name)-headers"]
    } else {
      return
    }
    conditions = [Self.newest]
  }

  private mutating func findDebian(_ release: String) {
    let parts = release.split(separator: "-").map(String.init)
    if release.contains("-rpi-") || release.hasSuffix("-rpi") {
      // Raspberry Pi OS 12 and later, such as 6.6.20+rpt-rpi-v8.
      let name = parts.drop { $0 != "rpi" }.joined(separator: "-")
      install = name.isFlavour ? ["apt-get install linux-headers-\(name)"] : []
    } else if ["-v6+", "-v7+", "-v7l+", "-v8+"].contains(where: release.hasSuffix)
      || parts.count == 1 && release.hasSuffix("+")
    {
      install = ["apt-get install raspberrypi-kernel-headers"]
    } else if parts.last == "pve" {
      let name = "6.5".isNewerKernel(than: parts[0]) ? "pve" : "proxmox"
      install = [
        "apt-get install \(name)-headers-$(uname -r) "
          + (name == "pve" ? "pve-headers" : "proxmox-default-headers")
      ]
      return
    } else if parts.count > 2, ["current", "edge", "legacy", "vendor"].contains(parts[1]) {
      // Armbian, such as 6.6.16-current-rockchip64.
      let name = parts.dropFirst().joined(separator: "-")
      install = name.isFlavour ? ["apt-get install linux-headers-\(name)"] : []
    } else {
      // For example, 6.1.0-28-amd64, 5.10.0-0.deb10.16-686-pae and 6.12.43+deb13-amd64.
      let name = parts.dropFirst(parts.first?.contains("+") == true ? 1 : 2).joined(separator: "-")
      install = [
        "apt-get install linux-headers-$(uname -r)"
          + (name.isFlavour ? " linux-headers-\(name)" : "")
      ]
      return
    }
    conditions = [Self.newest]
  }

  private mutating func findUbuntu(_ release: String) {
    let flavour = release.split(separator: "-").dropFirst(2).joined(separator: "-")
    install = ["apt-get install linux-headers-$(uname -r)"]
    guard flavour.isFlavour else { return }
    later = "linux-headers-\(flavour) (for HWE kernels, linux-headers-\(flavour)-hwe-YY.MM)"
  }

  /// Returns the family of a distribution; `nil` if it belongs to none of them.
  ///
  /// If the distribution is unknown, the family is guessed from the kernel's release.
  static func family(release: String, distribution: String?) -> Family? {
    switch distribution {
    case "arch", "archarm", "archcraft", "arcolinux", "artix", "cachyos", "endeavouros", "garuda",
      "manjaro", "manjaro-arm":
      return .arch
    case "debian", "raspbian", "devuan", "mx", "kali", "parrot", "deepin", "pureos", "osmc",
      "proxmox", "armbian", "lmde":
      return .debian
    case "ubuntu", "linuxmint", "pop", "zorin", "elementary", "neon", "tuxedo", "kubuntu",
      "lubuntu", "xubuntu":
      return .ubuntu
    case "fedora", "rhel", "centos", "rocky", "almalinux", "ol", "nobara", "fedora-asahi-remix",
      "ultramarine", "eurolinux":
      return .fedora
    case "opensuse-tumbleweed", "opensuse-leap", "opensuse", "opensuse-slowroll", "sles", "sled":
      return .openSUSE
    case "alpine", "postmarketos": return .alpine
    case "void": return .void
    case "gentoo": return .gentoo
    case .some: return nil
    case nil: break
    }
    let flavour = release.split(separator: "-").last ?? ""
    if release.isFedoraKernel { return .fedora }
    if release.isUbuntuKernel { return .ubuntu }
    if release.contains("-arch") || release.hasSuffix("MANJARO") || flavour == "zen" {
      return .arch
    }
    if release.contains("+rpt-") || ["-v7+", "-v7l+", "-v8+"].contains(where: release.hasSuffix)
      || ["amd64", "armmp", "686", "pae", "pve"].contains(flavour)
    {
      return .debian
    }
    if flavour == "default" { return .openSUSE }
    return flavour == "virt" ? .alpine : nil
  }
}

extension String {
  /// A Boolean value that indicates whether the string can be a component of a package name.
  fileprivate var isFlavour: Bool {
    !isEmpty && first != "-"
      && utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || byte.isDecimal || byte == UInt8(ascii: "-")
      }
  }
}
