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
    _ = state.take(UseChange(facts: UseFacts(devices: [device]), events: [], isFirst: true))
  }

  /// Returns the number of waiting notifications.
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

  /// The second service was not announced, but noticed because it showed a notification.
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

  @Test func `that are true stay while others end`() {
    var shown = ShownNotifications()
    func show(_ number: Int, isOver: Bool = false) {
      let one = DesktopNotification(
        program: "", icon: "", summary: "", body: "", markup: "", subject: "program \(number)",
        isOver: isOver)
      let place = shown.place(for: one.subject)
      let id = place?.number ?? UInt32(shown.all.count + 1)
      shown.add(DesktopNotification.Shown(number: id, service: services[0]), for: one)
    }
    show(0)
    for number in 1..<100 {
      show(number)
      show(number, isOver: true)
      #expect(shown.current.map(\.number) == [1])
    }
    #expect(shown.all.count == ShownNotifications.most)
    // If too many are current, the oldest is dropped.
    for number in 100..<107 { show(number) }
    #expect(shown.current.map(\.number).sorted() == Array(1...8))
    show(200)
    #expect(shown.current.map(\.number).last == 1)
  }
}
