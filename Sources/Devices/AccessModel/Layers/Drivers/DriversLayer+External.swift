/// Modules that are not part of Linux: building them, and signing them for Secure Boot.
extension DriversLayer {
  /// Returns the remedies that build an external module for the running kernel and load it.
  func externalBuildRemedies(of module: String) -> [Remedy] {
    guard module.isModuleName else { return [] }
    let release = confinement.kernelRelease ?? ""
    if facts.isNixOS { return [nixOSRemedy(module)] }
    let headers = KernelHeaders(release: release, distribution: confinement.distribution)
    let load = loadCommands(module)
    guard !headers.install.isEmpty || headers.build.hasPrefix("emerge"), !facts.isOfImage else {
      let kernel = release.isEmpty ? "the running kernel" : "kernel \(release), which is running,"
      return [
        Remedy(
          onHost(
            """
            Install the headers of \(kernel) with the distribution's package manager (packages \
            named -headers, -devel or -dev), have \(module) built for it, and load it
            """), commands: [headers.build] + load, actor: .administrator,
          assumes:
            "\(headers.buildCondition) (otherwise, rebuild it with the tool that built it)")
      ]
    }
    func remedy(build: String, if condition: String) -> Remedy {
      Remedy(
        onHost("Install the headers of the running kernel and build the module again"),
        commands: headers.install + [build] + load, actor: .administrator,
        takesEffect: headers.later.map { "at once; for later kernels, also install \($0)" },
        assumes: ([condition] + headers.conditions).joined(separator: " and if "))
    }
    var remedies = [remedy(build: headers.build, if: headers.buildCondition)]
    if KernelHeaders.family(release: release, distribution: confinement.distribution) == .fedora {
      var akmods = remedy(
        build: "akmods --force --kernels $(uname -r)",
        if: "an akmod package has the module ('rpm -qa \"akmod-*\"' lists it)")
      akmods.title += ", with akmods"
      remedies[0].title += ", with DKMS"
      remedies.insert(akmods, at: 0)
    }
    return remedies
  }

  /// Returns the title, which in a container starts with "On the host".
  private func onHost(_ title: String) -> String {
    guard confinement.container != nil else { return title }
    return "On the host, " + title.prefix(1).lowercased() + title.dropFirst()
  }

  /// Returns the commands that load a module now and, if it is for a virtual device, at every boot.
  ///
  /// The kernel loads the drivers of real hardware automatically.
  private func loadCommands(_ module: String) -> [String] {
    let isVirtual = ["akvcam", "droidcam", "v4l2loopback"].contains { module.hasPrefix($0) }
    return isVirtual ? module.loadingCommands : ["modprobe \(module.shellQuoted)"]
  }

  /// Returns the remedy for NixOS, which builds modules as a part of the system's configuration.
  private func nixOSRemedy(_ module: String) -> Remedy {
    Remedy(
      "Put the module into the system's configuration, and restart with the kernel that it builds",
      commands: ["nixos-rebuild boot"],
      options: [
        "boot.extraModulePackages = [ config.boot.kernelPackages.\(module) ];",
        "boot.kernelModules = [ \"\(module)\" ];",
      ], actor: .administrator, takesEffect: "after a reboot",
      assumes: "linuxPackages has a package of that name for the module")
  }

  // MARK: - Signatures

  /// A key that this machine uses to sign the modules that it builds.
  private struct SigningKey {
    var certificate: String
    var key: String
    /// The tool that builds modules and signs them with the key.
    var tool: String
  }

  private var signingKey: SigningKey {
    let release = confinement.kernelRelease ?? ""
    switch KernelHeaders.family(release: release, distribution: confinement.distribution) {
    case .ubuntu:
      return SigningKey(
        certificate: "/var/lib/shim-signed/mok/MOK.der", key: "/var/lib/shim-signed/mok/MOK.priv",
        tool: "DKMS")
    case .fedora:
      return SigningKey(
        certificate: "/etc/pki/akmods/certs/public_key.der",
        key: "/etc/pki/akmods/private/private_key.priv", tool: "akmods")
    default:
      return SigningKey(
        certificate: "/var/lib/dkms/mok.pub", key: "/var/lib/dkms/mok.key", tool: "DKMS")
    }
  }

  /// Returns the remedies for a module whose signature is missing or not trusted by the kernel.
  ///
  /// The remedies enrol the machine's own key. One of them first signs a module that was built
  /// without a signature.
  func signatureRemedies(_ module: String) -> [Remedy] {
    let own = signingKey
    let enrol = "mokutil --import \(own.certificate)"
    let restart = """
      after a reboot, during which shim's blue screen (Enroll MOK) asks for the password that you \
      gave to mokutil
      """
    let create =
      own.certificate.contains("shim-signed")
      ? " ('update-secureboot-policy --new-key' creates it)"
      : own.tool == "akmods" ? " ('kmodgenca -a' creates it)" : ""
    return [
      Remedy(
        onHost(
          """
          Enrol the key with which \(own.tool) signs modules, and load the module after the reboot
          """),
        commands: [enrol], actor: .administrator, takesEffect: restart,
        assumes: """
          \(own.certificate) exists, and \(own.tool) built \(module) and signed it with that key \
          ('modinfo -F signer \(module)' prints the signer)
          """),
      Remedy(
        onHost(
          """
          Sign the module yourself with the key of this machine (again after each build), and enrol \
          the key
          """),
        commands: [
          """
          /lib/modules/$(uname -r)/build/scripts/sign-file sha256 \(own.key) \(own.certificate) \
          $(modinfo -n \(module.shellQuoted))
          """, enrol,
        ], actor: .administrator, takesEffect: restart,
        assumes: [
          "a tool other than DKMS built \(module) and did not sign it",
          "the file is not compressed", "the headers of the running kernel are installed",
          "the key exists\(create)",
        ].reduce(nil, Remedy.both)),
    ]
  }
}

extension AccessFacts {
  /// A Boolean value that indicates whether the root filesystem is an image (composefs).
  ///
  /// Packages of such a system are layered onto the image.
  var isOfImage: Bool {
    access.mounts.contains {
      $0.at == "/" && ($0.source == "composefs" || $0.fstype == "composefs")
    }
  }
}
