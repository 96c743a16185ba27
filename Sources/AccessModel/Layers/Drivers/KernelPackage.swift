/// The package with the drivers that the running kernel lacks, on distributions that split their kernels.
struct KernelPackage {
  /// What installing it does, as one imperative sentence without a full stop.
  let title: String
  /// The commands that install it.
  let commands: [String]
  /// What has to happen before a driver from it is used.
  let takesEffect: String

  /// Finds the package by the release of the kernel (`uname -r`).
  ///
  /// - Returns: `nil` for a distribution that has all modules in one package, or that the release does
  ///   not tell.
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

  /// The command that installs what modules are built with: with apt-get(8) unless the release tells
  /// another distribution.
  static func headersCommand(release: String) -> String {
    if release.isFedoraKernel { return "dnf install kernel-devel-$(uname -r)" }
    if release.contains("-arch") { return "pacman -S linux-headers" }
    if release.hasSuffix("-default") { return "zypper install kernel-default-devel" }
    return "apt-get install linux-headers-$(uname -r)"
  }

  private init(ofRest commands: [String]) {
    title = "Install the other modules of the running kernel"
    self.commands = commands
    takesEffect = "when the device is plugged in again, or after a restart"
  }

  private init(ofKernel command: String) {
    title = "Install the kernel with all drivers instead of the one for virtual machines"
    commands = [command]
    takesEffect = "after a restart with that kernel"
  }
}

extension String {
  /// Whether it is a release of Ubuntu's kernels whose modules are in two packages, such as
  /// `6.8.0-45-generic`.
  fileprivate var isUbuntuKernel: Bool {
    let parts = split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[1].utf8.allSatisfy(\.isDecimal) else { return false }
    let flavours = [
      "aws", "azure", "gcp", "generic", "gke", "ibm", "lowlatency", "oracle", "raspi",
    ]
    return flavours.contains(String(parts[2]))
  }

  /// Whether it is a release of Fedora's or of an enterprise distribution's kernels, such as
  /// `6.11.5-200.fc40.x86_64`.
  fileprivate var isFedoraKernel: Bool {
    split(separator: ".").contains { part in
      ["fc", "el"].contains { stem in
        part.hasPrefix(stem) && part.utf8.dropFirst(2).first?.isDecimal == true
      }
    }
  }

  /// Whether one release of a kernel is newer than another, by the numbers in both.
  func isNewerKernel(than other: String) -> Bool {
    let numbers = { (release: String) in
      release.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    }
    return numbers(other).lexicographicallyPrecedes(numbers(self))
  }

  /// Whether a module is not a part of Linux: another project builds it, mostly by DKMS.
  var isExternalModule: Bool {
    let stems = [
      "akvcam", "ch343", "droidcam", "evdi", "facetimehd", "nvidia", "rtl88", "spl", "v4l2loopback",
      "vbox", "vmmon", "vmnet", "zfs",
    ]
    return stems.contains(where: hasPrefix)
  }
}
