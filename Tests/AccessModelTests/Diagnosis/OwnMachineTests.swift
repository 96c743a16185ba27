import AccessModel
import Testing

/// Windows Subsystem for Linux, a machine that systemd considers a container.
struct OwnMachineTests {
  private func explain(
    container: String? = "wsl", hasSystemd: Bool? = false, hasDatabase: Bool? = false,
    _ change: (inout Fixtures) -> Void = { _ in }
  ) -> Explanation {
    Fixtures.camera.with {
      $0.askDevice("/dev/ttyACM0", subsystem: "tty", mode: 0o600, tags: [], isInitialized: false)
      $0.facts.confinement.container = container
      $0.facts.confinement.kernelRelease = "5.15.74.2-microsoft-standard-WSL2"
      $0.facts.confinement.hasSystemd = hasSystemd
      $0.facts.confinement.hasUdevDatabase = hasDatabase
      $0.facts.session = nil
      change(&$0)
    }.explain()
  }

  /// Returns the complete text about a refusal.
  private func text(of explanation: Explanation) -> String {
    let causes = ([explanation.cause].compactMap(\.self) + explanation.furtherCauses)
    let fixes = explanation.remedies.map {
      ([$0.title, $0.assumes ?? "", $0.takesEffect ?? ""] + $0.commands + $0.options)
        .joined(separator: " ")
    }
    return (causes.map(\.summary) + fixes + explanation.evidence).joined(separator: "\n")
  }

  @Test func `without systemd udev is started by its own file, for good`() throws {
    let explanation = explain()
    #expect(explanation.cause?.code == .udevNotRunning)
    let first = try #require(explanation.remedies.first)
    #expect(first.commands == [#"printf '%s\n' '[boot]' 'systemd=true' >> /etc/wsl.conf"#])
    #expect(first.end == .never)
    let said = text(of: explanation)
    for word in ["host", "container", "sandbox", "systemctl", "--group-add"] {
      #expect(!said.contains(word))
    }
    #expect(explanation.remedies.contains { $0.commands.first?.contains("systemd-udevd") == true })
  }

  @Test func `the kernel's name tells it as well as systemd does`() {
    let explanation = explain(container: nil, hasDatabase: nil) {
      $0.facts.hardware = HardwareFacts()
      $0.facts.hardware?.hasUdevControl = false
    }
    #expect(explanation.remedies.first?.commands.first?.contains("/etc/wsl.conf") == true)
  }

  @Test func `with systemd its unit is started`() {
    let explanation = explain(hasSystemd: true)
    #expect(
      explanation.remedies.first?.commands.first == "systemctl start systemd-udevd.service")
  }

  @Test func `a container on it is a container`() {
    let explanation = explain(container: "docker")
    #expect(explanation.cause?.code == .containerNoAccess)
    #expect(!text(of: explanation).contains("wsl.conf"))
  }

  @Test func `a drive of Windows is mounted with another owner`() {
    let explanation = explain {
      $0.ask("/mnt/d", .directory, mode: 0o755)
      var drive = Mount(at: "/mnt/d", fstype: "9p")
      drive.source = #"D:\"#
      $0.facts.access.mounts.append(drive)
    }
    #expect(explanation.remedies.first?.options == ["uid=1000,gid=1000"])
  }
}
