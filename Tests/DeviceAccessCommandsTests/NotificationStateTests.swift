import AccessModel
import DevicePermissions
import Testing

@testable import DeviceAccessCommands
@testable import LinuxDevices

@Suite struct `Who shows notifications` {
  private var state = NotificationState()
  private let services = [":1.1", ":1.2"].map { DesktopNotification.Service(name: $0, bus: "bus") }

  init() {
    var device = DeviceUse(node: "/dev/video0", kind: "camera")
    device.holders = [DeviceHolder(HoldingProcess(id: 1, name: "cheese"), DeviceHold())]
    state.take(UseChange(facts: UseFacts(devices: [device]), events: [], isFirst: true))
  }

  /// How many are waiting.
  private func count() -> Int {
    var (copy, count) = (state, 0)
    while copy.next() != nil { count += 1 }
    return count
  }

  @Test mutating func `is told everything once, where it comes in place of another`() {
    state.tell(services[0])
    #expect(count() == 1)
    _ = state.next()
    state.note(shownBy: services[0])
    state.tell(services[0])
    #expect(count() == 0)
    state.tell(services[1])
    #expect(count() == 1)
    _ = state.next()
    state.note(shownBy: services[1])
    #expect(count() == 0)
  }

  /// What another program began to use, while nobody told who shows that.
  @Test mutating func `is told the rest, where it is seen to show one`() {
    _ = state.next()
    state.note(shownBy: services[0])
    state.note(shownBy: services[1])
    #expect(count() == 1)
  }

  @Test mutating func `is told what nobody has shown`() {
    _ = state.next()
    state.noteAbsence()
    #expect(count() == 0)
    state.tell(services[0])
    #expect(count() == 1)
    state.tell(services[0])
    #expect(count() == 1)
  }
}
