import AccessModel
import Foundation
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Cameras in files that imitate sysfs and udev's database.
final class DeviceListTests {
  private let directory: TemporaryDirectory
  private let roots: MachineRoots
  private let subsystem = "video4linux"

  init() throws {
    directory = try TemporaryDirectory()
    roots = MachineRoots(below: directory)
    try directory.directory("sys/class/\(subsystem)")
  }

  private var enumerator: DeviceEnumerator { DeviceEnumerator(roots: roots) }

  private func parent(of number: Int) -> String { "sys/devices/usb1/1-\(number)" }

  private func path(of number: Int) -> String {
    "\(directory.path)/\(parent(of: number))/\(subsystem)/video\(number)"
  }

  /// The link that a camera shares with the camera of the next number.
  private func link(of number: Int) -> String { "link\(number / 2)" }

  private func plug(_ number: Int) throws {
    let folder = "\(parent(of: number))/\(subsystem)/video\(number)"
    try directory.file(
      "\(folder)/uevent", "MAJOR=81\nMINOR=\(number)\nDEVNAME=video\(number)\n")
    let link = "\(roots.sysfs)/class/\(subsystem)/video\(number)"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path(of: number))
    try tell(of: number, capture: true)
    try bind(number, to: "uvcvideo")
    try take(number)
  }

  private func tell(of number: Int, capture: Bool) throws {
    let claimed = "\(directory.path)/\(link(of: number))".dropFirst("/dev/".count)
    try directory.file(
      "run/udev/data/c81:\(number)",
      "S:\(claimed)\nI:1\nE:ID_V4L_CAPABILITIES=:\(capture ? "capture:" : "")\nG:seat\nV:1\n")
  }

  private func bind(_ number: Int, to driver: String) throws {
    let link = "\(directory.path)/\(parent(of: number))/driver"
    try? FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "../../../bus/usb/drivers/\(driver)")
  }

  /// Assigns the link to a camera, as udev does.
  private func take(_ number: Int) throws {
    try? FileManager.default.removeItem(atPath: "\(directory.path)/\(link(of: number))")
    try directory.link(link(of: number), to: "/dev/video\(number)")
  }

  private func unplug(_ number: Int) throws {
    try FileManager.default.removeItem(atPath: "\(directory.path)/\(parent(of: number))")
    try FileManager.default.removeItem(
      atPath: "\(roots.sysfs)/class/\(subsystem)/video\(number)")
    try FileManager.default.removeItem(atPath: "\(roots.run)/udev/data/c81:\(number)")
    let rival = number % 2 == 0 ? number + 1 : number - 1
    if FileManager.default.fileExists(atPath: path(of: rival)) { try take(rival) }
  }

  @Test func `what is looked at again is what a whole look shows`() throws {
    for number in [0, 1, 2, 11] { try plug(number) }
    var list = try enumerator.list(ofSubsystem: subsystem)
    #expect(list.devices.map(\.kernelName) == ["video0", "video1", "video2", "video11"])
    #expect(list.devices.map(\.links.isEmpty) == [true, false, false, false])
    var there: Set<Int> = [0, 1, 2, 11]
    var random = SystemRandomNumberGenerator()
    for round in 0..<1000 {
      let number = Int.random(in: 0..<12, using: &random)
      if !there.contains(number) {
        try plug(number)
        there.insert(number)
        list.note(changeAt: path(of: number), isOwn: true, isGone: false)
      } else {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          try unplug(number)
          there.remove(number)
          list.note(changeAt: path(of: number), isOwn: true, isGone: true)
        case 1:
          try tell(of: number, capture: round % 2 == 0)
          list.note(changeAt: path(of: number), isOwn: true, isGone: false)
        default:
          try bind(number, to: round % 2 == 0 ? "uvcvideo" : "vfio")
          list.note(
            changeAt: "\(directory.path)/\(parent(of: number))", isOwn: false, isGone: false)
        }
      }
      // Several events are often applied together.
      guard round % 3 > 0 else { continue }
      #expect(list.isStale)
      try list.refresh(with: enumerator)
      #expect(!list.isStale)
      #expect(try list.devices == enumerator.devices(inSubsystem: subsystem))
    }
  }

  @Test func `a device that is told to be gone is gone, though sysfs shows it still`() throws {
    for number in [0, 3] { try plug(number) }
    var list = try enumerator.list(ofSubsystem: subsystem)
    list.note(changeAt: path(of: 3), isOwn: true, isGone: true)
    try list.refresh(with: enumerator)
    #expect(list.devices.map(\.kernelName) == ["video0"])
    // The device came back, or another one replaced it.
    list.note(changeAt: path(of: 3), isOwn: true, isGone: true)
    list.note(changeAt: path(of: 3), isOwn: true, isGone: false)
    try list.refresh(with: enumerator)
    #expect(list.devices.map(\.kernelName) == ["video0", "video3"])
  }

  @Test func `devices that nothing was told of are found where there may be others`() throws {
    try plug(3)
    var list = try enumerator.list(ofSubsystem: subsystem)
    try plug(1)
    try unplug(3)
    try plug(2)
    try list.refresh(with: enumerator)
    #expect(list.devices.map(\.kernelName) == ["video3"])
    list.noteOthers()
    try list.refresh(with: enumerator)
    #expect(try list.devices == enumerator.devices(inSubsystem: subsystem))
    #expect(list.devices.map(\.kernelName) == ["video1", "video2"])
  }

  @Test func `where devices cannot be listed nothing is lost`() throws {
    try plug(1)
    var list = try enumerator.list(ofSubsystem: subsystem)
    list.noteOthers()
    try FileManager.default.moveItem(
      atPath: roots.sysfs, toPath: "\(directory.path)/elsewhere")
    #expect(throws: DeviceError.self) { try list.refresh(with: self.enumerator) }
    #expect(list.isStale)
  }
}
