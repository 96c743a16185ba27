import AccessModel
import Testing

/// Kernel modules that are not part of Linux.
@Suite struct `An external module` {
  private static func explain(
    _ distribution: String?, _ release: String, _ change: (inout Fixtures) -> Void = { _ in }
  ) -> Explanation {
    Fixtures.camera.with {
      $0.removeDevices()
      var hardware = HardwareFacts()
      hardware.modules = [
        HardwareFacts.Module(
          name: "akvcam", isLoaded: false, isInstalled: false, otherKernels: ["1.0"])
      ]
      $0.facts.hardware = hardware
      $0.facts.confinement.kernelRelease = release
      $0.facts.confinement.distribution = distribution
      change(&$0)
    }.explain()
  }

  @Test(
    arguments: [
      ("arch", "6.6.63-1-lts", "pacman -S linux-lts-headers"),
      ("endeavouros", "6.11.9-hardened1-1-hardened", "pacman -S linux-hardened-headers"),
      ("manjaro", "6.6.8-2-MANJARO", "pacman -S linux66-headers"),
      ("cachyos", "6.12.1-2-cachyos", "pacman -S linux-cachyos-headers"),
      (nil, "6.16.8-arch1-1", "pacman -S linux-headers"),
      ("fedora", "6.11.5-200.fc40.x86_64", "dnf install kernel-devel-$(uname -r)"),
      ("centos", "3.10.0-1160.el7.x86_64", "yum install kernel-devel-$(uname -r)"),
      ("opensuse-leap", "6.4.0-150600.21-default", "zypper install kernel-default-devel"),
      ("debian", "6.1.0-28-amd64", "apt-get install linux-headers-$(uname -r) linux-headers-amd64"),
      (
        "debian", "6.12.43+deb13-arm64",
        "apt-get install linux-headers-$(uname -r) linux-headers-arm64"
      ),
      (
        "debian", "6.8.12-4-pve",
        "apt-get install proxmox-headers-$(uname -r) proxmox-default-headers"
      ),
      ("debian", "6.6.51+rpt-rpi-2712", "apt-get install linux-headers-rpi-2712"),
      ("raspbian", "5.10.103-v7l+", "apt-get install raspberrypi-kernel-headers"),
      ("debian", "6.6.16-current-rockchip64", "apt-get install linux-headers-current-rockchip64"),
      ("linuxmint", "6.8.0-49-generic", "apt-get install linux-headers-$(uname -r)"),
      ("alpine", "6.6.14-0-lts", "apk add linux-lts-dev"),
      ("void", "6.6.11_1", "xbps-install linux-headers linux6.6-headers"),
    ] as [(String?, String, String)])
  func `is built with the headers of the distribution and of the kernel's flavour`(
    distribution: String?, release: String, command: String
  ) throws {
    let explanation = Self.explain(distribution, release)
    #expect(explanation.cause?.code == .moduleNotBuilt)
    let commands = try #require(explanation.remedies.first).commands
    #expect(commands.first == command)
    #expect(
      commands.suffix(2) == [
        "modprobe akvcam", "echo akvcam > /etc/modules-load.d/devaccess-akvcam.conf",
      ])
  }

  @Test(arguments: [("slackware", "6.6.63"), (nil, "6.6.63"), ("gnu", "a;b-1-$(x)")])
  func `is built by words where the package is not known`(
    distribution: String?, release: String
  ) {
    let remedies = Self.explain(distribution, release).remedies
    #expect(remedies.first?.title.contains("with the distribution's package manager") == true)
    let commands = remedies.flatMap(\.commands)
    #expect(!commands.contains { $0.contains("install ") })
  }

  @Test func `is part of the configuration of NixOS`() {
    let remedy = Self.explain("nixos", "6.6.63").remedies.first
    #expect(remedy?.options.last == "boot.kernelModules = [ \"akvcam\" ];")
    #expect(remedy?.commands == ["nixos-rebuild boot"])
  }

  @Test(
    arguments: [
      ("pop", "6.8.0-76060800daily20240311-generic", "/var/lib/shim-signed/mok/MOK.der"),
      ("debian", "6.1.0-28-amd64", "/var/lib/dkms/mok.pub"),
      ("fedora", "6.11.5-200.fc40.x86_64", "/etc/pki/akmods/certs/public_key.der"),
      (nil, "6.8.0-49-generic", "/var/lib/shim-signed/mok/MOK.der"),
    ] as [(String?, String, String)])
  func `is signed with the key of the distribution's tool`(
    distribution: String?, release: String, certificate: String
  ) {
    for errno in [Errno.notPermitted, .keyRejected] {
      let explanation = Self.explain(distribution, release) {
        $0.facts.hardware?.modules[0].isInstalled = true
        $0.facts.hardware?.modules[0].loadErrno = errno
        $0.facts.hardware?.areSignaturesRequired = true
      }
      #expect(explanation.cause?.summary.contains("signature") == true)
      #expect(explanation.remedies.first?.commands == ["mokutil --import \(certificate)"])
      #expect(explanation.remedies.last?.commands.first?.contains("sign-file") == true)
    }
  }
}
