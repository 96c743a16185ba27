import Testing

@testable import LinuxDevices

@Suite struct `Events that wait` {
  private func event(_ action: DeviceEvent.Action, _ name: String = "video0") -> DeviceEvent {
    DeviceEvent(
      action: action, subsystem: "video4linux", kernelName: name, node: "/dev/\(name)",
      sysfsPath: "/sys/devices/\(name)")
  }

  private func actions(_ actions: [DeviceEvent.Action]) -> [DeviceEvent.Action] {
    var backlog = DeviceBacklog()
    for action in actions { backlog.add(event(action)) }
    var left: [DeviceEvent.Action] = []
    while case .event(let event)? = backlog.take() { left.append(event.action) }
    return left
  }

  @Test func `many changes of a device are one`() {
    #expect(actions([.change, .bind, .change, .change]) == [.change])
    #expect(actions([.add, .change, .bind]) == [.add])
  }

  @Test func `a device that went and came again is told as both`() {
    #expect(actions([.remove, .add]) == [.remove, .add])
    #expect(actions([.change, .remove, .add, .change]) == [.remove, .add])
    #expect(actions([.remove, .add, .remove]) == [.remove])
    #expect(actions([.remove, .add, .remove, .add]) == [.remove, .add])
  }

  @Test func `the last word of a device stands`() {
    #expect(actions([.add, .remove]) == [.remove])
    #expect(actions([.add, .change, .remove]) == [.remove])
    #expect(actions([.unbind, .offline, .online]) == [.online])
  }

  @Test func `devices are told in the order of their first event`() {
    var backlog = DeviceBacklog()
    for name in ["b", "a", "c", "a", "b"] { backlog.add(event(.change, name)) }
    var names: [String] = []
    while case .event(let event)? = backlog.take() { names.append(event.kernelName) }
    #expect(names == ["b", "a", "c"])
  }

  @Test func `half of a device's events can have been taken when more come`() {
    var backlog = DeviceBacklog()
    backlog.add(event(.remove))
    backlog.add(event(.add))
    #expect(backlog.take() == .event(event(.remove)))
    backlog.add(event(.change))
    #expect(backlog.take() == .event(event(.add)))
    backlog.add(event(.change))
    #expect(backlog.take() == .event(event(.change)))
    #expect(backlog.take() == nil)
  }

  @Test func `more devices than are kept are a loss, told once and first`() {
    var backlog = DeviceBacklog()
    for number in 0...DeviceBacklog.capacity { backlog.add(event(.add, "video\(number)")) }
    backlog.add(event(.add, "late"))
    #expect(backlog.take() == .lost(.backlog))
    #expect(backlog.take() == .event(event(.add, "late")))
    #expect(backlog.take() == nil)
  }

  @Test func `a loss replaces what waits`() {
    var backlog = DeviceBacklog()
    backlog.add(event(.add))
    backlog.lose(.overflow)
    backlog.lose(.sleep)
    #expect(backlog.take() == .lost(.overflow))
    #expect(backlog.take() == nil)
  }

  @Test func `it stays small while it is used for long`() {
    var backlog = DeviceBacklog()
    for number in 0..<100_000 {
      backlog.add(event(.change, "video\(number)"))
      backlog.add(event(.change, "video\(number + 1)"))
      #expect(backlog.take() == .event(event(.change, "video\(number)")))
    }
  }
}
