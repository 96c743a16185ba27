import AccessModel
import Testing

/// Devices that are given to the active user of a seat, which the subject is not.
struct InactiveSeatTests {
  private static let tags = ["seat", "uaccess"]

  private func explain(_ change: (inout Fixtures) -> Void) -> Explanation {
    Fixtures.camera.with(change).explain()
  }

  @Test(
    arguments: [
      ("/dev/bus/usb/003/004", "usb", "scanner", 59, 0o664, "0664"),
      ("/dev/hidraw2", "hidraw", "nut", 118, 0o600, "0660"),
      ("/dev/video9", "video4linux", "motion", 116, 0o640, "0660"),
    ] as [(String, String, String, UInt32, UInt16, String)])
  func `a service gets the device by a group that it has`(
    path: String, subsystem: String, group: String, number: UInt32, mode: UInt16, new: String
  ) throws {
    let explanation = explain {
      $0.askDevice(path, subsystem: subsystem, mode: mode, tags: Self.tags)
      $0.facts.devices[0].sysfsPath = "/sys/devices/pci/usb3/3-1"
      $0.facts.access.subject = Subject(uid: 997, gid: number, groups: [number])
      $0.facts.account.userNames[997] = "daemon-user"
      $0.facts.account.groupNames[number] = group
      $0.serve("scan@0.service")
    }
    #expect(explanation.cause?.code == .uaccessNotActive)
    let first = try #require(explanation.remedies.first)
    #expect(first.commands.first?.contains(#"GROUP="\#(group)", MODE="\#(new)""#) == true)
    #expect(first.end.isLasting && first.isProven)
    // No access of other users is lost.
    #expect(first.loss?.contains("everybody") != true)
  }

  @Test func `a service in groups of all users gets an entry at every event`() {
    let explanation = explain {
      $0.askDevice("/dev/hidraw2", subsystem: "hidraw", mode: 0o600, tags: Self.tags)
      $0.facts.access.subject = Subject(uid: 997, gid: 100, groups: [100])
      $0.facts.account.userNames[997] = "home"
      $0.facts.account.groupNames[100] = "users"
      $0.serve("home.service")
    }
    let first = explanation.remedies.first
    #expect(first?.commands.first?.contains("u:home:rw $devnode") == true)
    #expect(first?.end.isLasting == true)
  }

  @Test(arguments: [("/dev/bus/usb/001/006", "usb"), ("/dev/hidraw0", "hidraw")])
  func `without a login manager a group gets the device for good`(
    path: String, subsystem: String
  ) throws {
    let explanation = explain {
      $0.askDevice(path, subsystem: subsystem, mode: 0o600, tags: Self.tags)
      $0.facts.session = SessionFacts(isLogindRunning: false)
      $0.facts.confinement.hasSystemd = false
    }
    #expect(explanation.cause?.code == .uaccessNotActive)
    let summary = try #require(explanation.cause?.summary)
    #expect(summary.contains("no login manager, such as elogind, is running"))
    #expect(!summary.contains("systemd"))
    #expect(explanation.evidence.allSatisfy { !$0.contains("systemd") })
    let first = try #require(explanation.remedies.first)
    #expect(first.commands.contains { $0.contains(#"GROUP="plugdev""#) })
    #expect(first.commands.last == "usermod -aG plugdev alice")
    #expect(first.end.isLasting && first.isProven)
    #expect(explanation.remedies.contains { $0.title.contains("elogind") })
    #expect(explanation.remedies.map(\.commands).joined().allSatisfy { !$0.contains("uaccess") })
  }
}
