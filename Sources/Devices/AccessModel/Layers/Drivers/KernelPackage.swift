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
