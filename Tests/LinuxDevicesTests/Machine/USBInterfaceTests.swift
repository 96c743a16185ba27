import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// The interfaces of raw USB devices and their drivers, read from files that imitate sysfs.
final class USBInterfaceTests {
  private let directory: TemporaryDirectory
  private var place: String { "\(directory.path)/sys/devices/usb1/1-4" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func plug(_ interface: String, class interfaceClass: String?, driver: String?) throws {
    let path = "sys/devices/usb1/1-4/\(interface)"
    try directory.directory(path)
    if let interfaceClass { try directory.file("\(path)/bInterfaceClass", interfaceClass + "\n") }
    if let driver { try directory.link("\(path)/driver", to: driver) }
  }

  private func device(node: String? = "/dev/bus/usb/001/004") -> DeviceFacts {
    DeviceFacts(node: node, sysfsPath: place, subsystem: "usb", kernelName: "1-4")
  }

  private func observe(
    _ device: DeviceFacts
  ) -> (found: [HardwareFacts.USBInterface], unobserved: [Unobserved]) {
    var reader = HardwareReader()
    let found = USBInterfaceObserver().interfaces(of: [device], &reader)
    return (found, reader.unobserved)
  }

  @Test func `each interface is told with its class and its driver`() throws {
    try plug("1-4:1.1", class: "0a", driver: "../../../../../bus/usb/drivers/cdc_acm")
    try plug("1-4:1.0", class: "02", driver: "../../../../../bus/usb/drivers/usbfs")
    try plug("1-4:1.2", class: "ff", driver: nil)
    // A device behind the device, if that is a hub, and an entry that is not an interface.
    try plug("1-4.1", class: "03", driver: "x")
    try plug("ep_00", class: nil, driver: nil)
    let (found, unobserved) = observe(device())
    #expect(
      found == [
        .init(sysfsPath: "\(place)/1-4:1.0", driver: "usbfs", interfaceClass: 2),
        .init(sysfsPath: "\(place)/1-4:1.1", driver: "cdc_acm", interfaceClass: 10),
        .init(sysfsPath: "\(place)/1-4:1.2", driver: nil, interfaceClass: 255),
      ])
    #expect(unobserved.isEmpty)
  }

  @Test func `a device without a raw node, or that is gone, has none`() throws {
    #expect(observe(device()).found.isEmpty && observe(device()).unobserved.isEmpty)
    try plug("1-4:1.0", class: "02", driver: "x/cdc_acm")
    #expect(observe(device(node: nil)).found.isEmpty)
  }

  @Test func `an interface whose driver cannot be seen is not said to be free`() throws {
    // A link to itself, so nothing behind it can be inspected.
    try directory.directory("sys/devices/usb1/1-4")
    try directory.link("sys/devices/usb1/1-4/1-4:1.0", to: "1-4:1.0")
    try plug("1-4:1.1", class: "zz", driver: "x/usbhid")
    let (found, unobserved) = observe(device())
    #expect(found == [.init(sysfsPath: "\(place)/1-4:1.1", driver: "usbhid")])
    #expect(unobserved.map(\.at) == ["\(place)/1-4:1.0/driver"])
  }

  @Test func `a hostile tree is read in part`() throws {
    for number in 0..<100 { try plug("1-4:1.\(number)", class: "03", driver: "x/usbhid") }
    #expect(observe(device()).found.count == 32)
  }
}
