import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `The list of devices` {
  private func device(_ number: Int, name: String? = nil) -> DeviceFacts {
    var device = DeviceFacts(
      node: "/dev/video\(number)", sysfsPath: "/sys/devices/video\(number)",
      subsystem: "video4linux", kernelName: "video\(number)")
    device.name = name
    return device
  }

  private func event(_ action: DeviceEvent.Action, _ device: DeviceFacts) -> DeviceEvent {
    DeviceEvent(
      action: action, subsystem: device.subsystem, kernelName: device.kernelName,
      node: device.node, sysfsPath: device.sysfsPath)
  }

  @Test func `a new look tells the differences, those that went first`() {
    var inventory = DeviceInventory()
    #expect(
      inventory.replace(with: [device(0), device(1)]) == [.added(device(0)), .added(device(1))])
    #expect(inventory.replace(with: [device(0), device(1)]) == [])
    #expect(
      inventory.replace(with: [device(1, name: "new"), device(2)])
        == [.removed(device(0)), .changed(device(1, name: "new")), .added(device(2))])
  }

  @Test func `an event is only the reason to look`() {
    var inventory = DeviceInventory()
    _ = inventory.replace(with: [device(0)])
    let change = event(.change, device(0))
    #expect(inventory.apply(change, at: device(0).sysfsPath) { _, _ in device(0) } == [])
    #expect(
      inventory.apply(change, at: device(0).sysfsPath) { _, _ in device(0, name: "new") }
        == [.changed(device(0, name: "new"))])
    // The device is already gone: its own event comes later and reports nothing new.
    #expect(
      inventory.apply(event(.add, device(0)), at: device(0).sysfsPath) { _, _ in nil }
        == [.removed(device(0, name: "new"))])
    #expect(
      inventory.apply(event(.remove, device(0)), at: device(0).sysfsPath) { _, _ in nil } == [])
  }

  @Test func `a device that goes is believed gone`() {
    var inventory = DeviceInventory()
    _ = inventory.replace(with: [device(0)])
    #expect(
      inventory.apply(event(.remove, device(0)), at: device(0).sysfsPath) { _, _ in device(0) }
        == [.removed(device(0))])
  }

  /// A microphone's card gets its name after the microphone.
  @Test func `an event of a device is one of those below it, too`() {
    var inventory = DeviceInventory()
    let parent = device(0)
    var part = device(1)
    part.sysfsPath = parent.sysfsPath + "/part"
    _ = inventory.replace(with: [part, device(2)])
    var named = part
    named.name = "Headset"
    let change = event(.change, parent)
    #expect(
      inventory.apply(change, at: parent.sysfsPath) { path, _ in
        path == named.sysfsPath ? named : nil
      } == [.changed(named)])
    // The part is removed with its parent, and its own event reports nothing new.
    #expect(
      inventory.apply(event(.remove, parent), at: parent.sysfsPath) { _, _ in nil }
        == [.removed(named)])
    #expect(inventory.apply(event(.remove, part), at: part.sysfsPath) { _, _ in nil } == [])
    // A scan that fails loses no changes.
    _ = inventory.replace(with: [parent, part])
    struct Refused: Error {}
    var isRefused = true
    func scan(_ path: String, _: String) throws(Refused) -> DeviceFacts? {
      if isRefused, path == part.sysfsPath { throw Refused() }
      return path == part.sysfsPath ? named : self.device(0, name: "new")
    }
    #expect(throws: Refused.self) { try inventory.apply(change, at: parent.sysfsPath, scan: scan) }
    isRefused = false
    #expect(
      (try? inventory.apply(change, at: parent.sysfsPath, scan: scan))
        == [.changed(device(0, name: "new")), .changed(named)])
  }

  @Test(arguments: 0..<50) func `whatever is lost, the end is what the kernel has`(_ seed: Int) {
    var generator = SeededNumbers(seed: UInt64(seed))
    var kernel: [Int: DeviceFacts] = [:]
    var inventory = DeviceInventory()
    var reported: [String: DeviceFacts] = [:]
    func apply(_ changes: [DeviceChange]) {
      for change in changes {
        switch change {
        case .added(let device):
          #expect(reported.updateValue(device, forKey: device.sysfsPath) == nil)
        case .changed(let device):
          let before = reported.updateValue(device, forKey: device.sysfsPath)
          #expect(before != nil && before != device)
        case .removed(let device): #expect(reported.removeValue(forKey: device.sysfsPath) == device)
        }
      }
    }
    for step in 0..<400 {
      let number = Int.random(in: 0..<20, using: &generator)
      let action: DeviceEvent.Action
      if kernel[number] == nil {
        kernel[number] = device(number)
        action = .add
      } else if Bool.random(using: &generator) {
        kernel[number] = nil
        action = .remove
      } else {
        kernel[number] = device(number, name: "\(step)")
        action = .change
      }
      // Two of three events are lost; after a loss, everything is scanned.
      if Int.random(in: 0..<3, using: &generator) == 0 {
        let event = event(action, device(number))
        apply(inventory.apply(event, at: event.sysfsPath ?? "") { _, _ in kernel[number] })
      }
      if Int.random(in: 0..<50, using: &generator) == 0 {
        apply(inventory.replace(with: kernel.values.sorted { $0.kernelName < $1.kernelName }))
      }
    }
    apply(inventory.replace(with: Array(kernel.values)))
    #expect(reported == Dictionary(uniqueKeysWithValues: kernel.values.map { ($0.sysfsPath, $0) }))
  }
}
