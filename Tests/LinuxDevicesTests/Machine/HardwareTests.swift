import AccessModel
import Foundation
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// The reasons why a camera has no node, read from files that imitate sysfs.
final class HardwareTests {
  private let directory: TemporaryDirectory
  private let roots: MachineRoots

  init() throws {
    directory = try TemporaryDirectory()
    roots = MachineRoots(below: directory)
    try directory.file("proc/sys/kernel/osrelease", "6.1.0-2\n")
    try directory.directory("sys/module")
    try directory.file("modules/6.1.0-2/modules.dep", "")
  }

  private func observe() -> HardwareFacts {
    var unobserved: [Unobserved] = []
    return HardwareObserver(roots: roots).observe(&unobserved)
  }

  /// Returns the paths that could not be read, relative to the directory of the test.
  private func hidden() -> [String?] {
    var unobserved: [Unobserved] = []
    _ = HardwareObserver(roots: roots).observe(&unobserved)
    #expect(unobserved.allSatisfy { $0.layer == "hardware" && !$0.reason.isEmpty })
    return unobserved.map { $0.at.map { String($0.dropFirst(directory.path.utf8.count + 1)) } }
  }

  private var uvcvideo: HardwareFacts.Module? { observe().modules.first { $0.name == "uvcvideo" } }

  @Test func `a machine that tells nothing has no hardware facts`() {
    let facts = observe()
    #expect(facts.unbound.isEmpty)
    #expect(facts.switchedOff.isEmpty)
    #expect(facts.areModulesDisabled == nil)
    #expect(facts.areSignaturesRequired == nil)
    #expect(facts.modules.allSatisfy { !$0.isLoaded && !$0.isInstalled })
  }

  @Test func `a video interface without a driver is found, with the name of its device`() throws {
    try directory.file("sys/bus/usb/devices/1-5/product", "Integrated Camera\n")
    try directory.file("sys/bus/usb/devices/1-5:1.0/bInterfaceClass", "0e\n")
    try directory.file("sys/bus/usb/devices/1-5:1.2/bInterfaceClass", "03\n")
    #expect(
      observe().unbound == [
        HardwareFacts.Unbound(
          sysfsPath: "\(roots.sysfs)/bus/usb/devices/1-5:1.0", name: "Integrated Camera",
          module: "uvcvideo")
      ])
  }

  @Test(arguments: [
    ("bus/platform/devices/VPC2004:00/camera_power", "0", true),
    ("bus/platform/devices/VPC2004:00/camera_power", "1", false),
    ("bus/platform/devices/eeepc/camera", "0", true),
    ("bus/platform/devices/msi-ec/webcam", "off", true),
    ("bus/platform/devices/msi-ec/webcam", "on", false),
    (
      "class/firmware-attributes/samsung-galaxybook/attributes/block_recording/current_value",
      "1", true
    ),
    (
      "class/firmware-attributes/thinklmi/attributes/IntegratedCamera/current_value", "Disable",
      true
    ),
    (
      "class/firmware-attributes/thinklmi/attributes/IntegratedCamera/current_value", "Enable",
      false
    ),
    ("class/firmware-attributes/thinklmi/attributes/Bluetooth/current_value", "Disable", false),
  ])
  func `a laptop's switch is read`(path: String, value: String, isOff: Bool) throws {
    try directory.file("sys/\(path)", value + "\n")
    #expect(observe().switchedOff.map(\.path) == (isOff ? ["\(roots.sysfs)/\(path)"] : []))
  }

  @Test func `what a setting of the firmware can be is read with it`() throws {
    let directory = "sys/class/firmware-attributes/thinklmi/attributes/IntegratedCamera"
    try self.directory.file("\(directory)/current_value", "Disable\n")
    try self.directory.file("\(directory)/possible_values", "Disable,Enable\n")
    #expect(observe().switchedOff.map(\.on) == ["Enable"])
    #expect(observe().switchedOff.map(\.needsRestart) == [true])
  }

  @Test func `a media controller is listed with its driver`() throws {
    try directory.file("sys/devices/platform/soc/media0/model", "rkisp1\n")
    try directory.file("sys/bus/platform/drivers/rkisp1/module", "")
    try directory.directory("sys/bus/media/devices")
    try directory.link(
      "sys/devices/platform/soc/driver", to: "../../../bus/platform/drivers/rkisp1")
    try directory.link("sys/bus/media/devices/media0", to: "../../../devices/platform/soc/media0")
    #expect(
      observe().media == [
        HardwareFacts.MediaDevice(kernelName: "media0", model: "rkisp1", driver: "rkisp1")
      ])
  }

  @Test func `a module is looked for in this kernel and in others`() throws {
    try directory.file(
      "modules/6.1.0-1/modules.dep", "kernel/media/usb/uvc/uvcvideo.ko.xz: kernel/x.ko\n")
    try directory.file("modules/6.1.0-2/modules.dep", "kernel/net/myuvcvideo.ko:\n")
    #expect(uvcvideo?.isInstalled == false)
    #expect(uvcvideo?.otherKernels == ["6.1.0-1"])
    try directory.file("modules/6.1.0-2/modules.dep", "kernel/uvcvideo.ko:\n")
    #expect(uvcvideo?.isInstalled == true)
    #expect(uvcvideo?.isLoaded == false)
    try directory.file("sys/module/uvcvideo/refcnt", "0\n")
    #expect(uvcvideo?.isLoaded == true)
  }

  @Test func `the file of a module may have hyphens`() throws {
    try directory.file(
      "modules/6.1.0-2/modules.dep", "kernel/sound/usb/snd-usb-audio.ko.xz: kernel/sound/snd.ko\n")
    var unobserved: [Unobserved] = []
    try directory.file("sys/bus/usb/devices/1-6/product", "Interface\n")
    try directory.file("sys/bus/usb/devices/1-6:1.0/bInterfaceClass", "01\n")
    let facts = HardwareObserver(roots: roots).observe(&unobserved, of: .microphone)
    #expect(facts.modules.map(\.name) == ["snd_usb_audio"])
    #expect(facts.modules.first?.isInstalled == true)
  }

  @Test func `a module that is built in needs no file`() throws {
    try directory.file("modules/6.1.0-2/modules.builtin", "kernel/uvc/uvcvideo.ko\n")
    #expect(uvcvideo?.isInstalled == true)
    #expect(uvcvideo?.isLoaded == true)
  }

  @Test(arguments: [
    ("blacklist uvcvideo", true), ("  blacklist\tuvcvideo  ", true),
    ("install uvcvideo /bin/false", true), ("install uvcvideo /sbin/modprobe x", false),
    ("# blacklist uvcvideo", false), ("blacklist uvcvideo2", false), ("blacklist", false),
  ])
  func `modprobe's configuration keeps a module away`(line: String, isOff: Bool) throws {
    try directory.file("etc/modprobe.d/a.conf", "options x y=1\n\(line)\n")
    #expect(uvcvideo?.isBlacklisted == isOff)
  }

  @Test func `a file without the right name is no configuration`() throws {
    try directory.file("etc/modprobe.d/a.conf.dpkg-old", "blacklist uvcvideo\n")
    #expect(uvcvideo?.isBlacklisted == false)
  }

  @Test(arguments: [
    ("Y", "none", true), ("N", "[none] integrity confidentiality", false),
    ("N", "none [integrity] confidentiality", true),
  ])
  func `whether signatures are required is read`(
    enforced: String, lockdown: String, isRequired: Bool
  ) throws {
    try directory.file("sys/module/module/parameters/sig_enforce", enforced + "\n")
    if lockdown != "none" { try directory.file("sys/kernel/security/lockdown", lockdown + "\n") }
    try directory.file("proc/sys/kernel/modules_disabled", "1\n")
    #expect(observe().areSignaturesRequired == isRequired)
    #expect(observe().areModulesDisabled == true)
  }

  @Test func `a hostile list of modules is not believed beyond its bounds`() throws {
    try directory.file("modules/6.1.0-2/modules.dep", "/uvcvideo.k")
    #expect(uvcvideo?.isInstalled == false)
    func names(_ list: String) -> [String] {
      ModuleObserver.modules(in: Array(list.utf8)).keys.sorted()
    }
    #expect(names("").isEmpty)
    #expect(names("/x.ko") == ["x"])
    #expect(names("a/x-y.ko.zst: a/z.ko\n/w.ko:") == ["w", "x_y"])
    #expect(names("/x.kop\nx\n/\n:\n/.ko:").isEmpty)
  }

  @Test func `the module of a node is found by what kmod knows, else by its name`() throws {
    try directory.file(
      "modules/6.1.0-2/modules.dep",
      "kernel/drivers/net/tun.ko:\nupdates/nvidia-uvm.ko.xz: updates/nvidia.ko.xz\n")
    try directory.file(
      "modules/6.1.0-2/modules.devname", "# Device nodes\ntun net/tun c10:200\n")
    let modules = ModuleObserver(roots: roots)
    var reader = HardwareReader()
    let tun = modules.module(ofNode: "net/tun", &reader)
    #expect(tun?.name == "tun" && tun?.node == "/dev/net/tun")
    #expect(tun?.isInstalled == true && tun?.isLoaded == false)
    let uvm = modules.module(ofNode: "nvidia-uvm", &reader)
    #expect(uvm?.name == "nvidia_uvm" && uvm?.node == nil)
    #expect(modules.module(ofNode: "nothing", &reader) == nil)
    #expect(modules.module(ofNode: "nothing/..", &reader) == nil)
  }

  @Test func `a tree without buses and classes is a hidden one`() throws {
    #expect(hidden() == ["sys/bus", "sys/class"])
    try directory.directory("sys/bus")
    try directory.directory("sys/class/net")
    #expect(hidden() == ["sys/bus"])
    try directory.directory("sys/bus/usb")
    #expect(hidden() == [])
  }

  @Test func `nothing is said of a module where modules are hidden`() throws {
    try directory.file("modules/6.1.0-2/modules.dep", "kernel/uvcvideo.ko:\n")
    #expect(uvcvideo?.isLoaded == false && uvcvideo?.isInstalled == true)
    try FileManager.default.removeItem(atPath: "\(roots.sysfs)/module")
    #expect(uvcvideo == nil)
    #expect(hidden().contains("sys/module"))
  }

  @Test func `nothing is said of a module where the list of modules is not there`() throws {
    #expect(uvcvideo?.isInstalled == false)
    try FileManager.default.removeItem(atPath: "\(roots.modules)/6.1.0-2")
    #expect(uvcvideo == nil)
    #expect(hidden().contains("modules"))
    try directory.file("sys/module/uvcvideo/refcnt", "0\n")
    #expect(uvcvideo?.isLoaded == true)
  }

  // A directory in place of a file cannot be read, not even by root.
  @Test func `a list of modules that cannot be read is no empty list`() throws {
    try FileManager.default.removeItem(atPath: "\(roots.modules)/6.1.0-2/modules.dep")
    try directory.directory("modules/6.1.0-2/modules.dep")
    try directory.file("modules/6.1.0-1/modules.dep", "kernel/uvcvideo.ko:\n")
    #expect(uvcvideo == nil)
    #expect(hidden().contains("modules/6.1.0-2/modules.dep"))
  }

  @Test func `an attribute that cannot be read is no attribute that is not there`() throws {
    try directory.directory("sys/class/net")
    try directory.directory("sys/bus/usb/devices/1-5/authorized")
    try directory.directory("sys/bus/platform/devices/VPC2004:00/camera_power")
    #expect(
      hidden() == [
        "sys/bus/usb/devices/1-5/authorized",
        "sys/bus/platform/devices/VPC2004:00/camera_power",
      ])
    #expect(observe().switchedOff.isEmpty && observe().usb.isEmpty)
  }

  @Test func `a thousand unreadable attributes are named in part`() throws {
    for number in 0..<100 {
      try directory.directory("sys/bus/usb/devices/1-\(number)/authorized")
    }
    #expect(hidden().count == 16)
  }

  // MARK: The list of devices

  @Test(arguments: [
    ("video4linux", " 81 video4linux"), ("sound", "116 alsa"), ("usb", "189 usb_device"),
    ("hidraw", "243 hidraw"),
  ])
  func `a subsystem whose drivers are there has a class`(subsystem: String, driver: String) throws {
    let numbers = NumberObserver(roots: roots)
    #expect(numbers.hiddenTree(of: subsystem) == "\(roots.sysfs) holds no classes of devices")
    try directory.directory("sys/class/net")
    // Without the list of drivers, the result is unknown.
    #expect(numbers.hiddenTree(of: subsystem)?.contains("neither") == true)
    try directory.file("proc/devices", "Character devices:\n  1 mem\n\nBlock devices:\n")
    #expect(numbers.hiddenTree(of: subsystem) == nil)
    try directory.file(
      "proc/devices", "Character devices:\n  1 mem\n\(driver)\n\nBlock devices:\n")
    #expect(numbers.hiddenTree(of: subsystem) == "\(roots.sysfs) hides the class \(subsystem)")
    try directory.directory("sys/class/\(subsystem)")
    #expect(numbers.hiddenTree(of: subsystem) == nil)
  }

  /// Returns whether a number has a driver in the files of the test.
  private func hasDriver(_ major: UInt32, _ minor: UInt32, isBlock: Bool = false) -> Bool? {
    let number = DeviceNumber(major: major, minor: minor)
    return NumberObserver(roots: roots).observe(number, isBlock: isBlock).hasDriver
  }

  @Test func `a number has no driver where the kernel lists its drivers without it`() throws {
    #expect(hasDriver(200, 7) == nil)
    try directory.file(
      "proc/devices", "Character devices:\n  1 mem\n 10 misc\n\nBlock devices:\n  7 loop\n")
    #expect(hasDriver(200, 7) == false)
    #expect(hasDriver(8, 0, isBlock: true) == false)
    // Each type has its own numbers, and opening a loop device may create its number.
    #expect(hasDriver(7, 0) == false)
    #expect(hasDriver(7, 0, isBlock: true) == nil)
  }

  @Test func `a small driver that sysfs does not list is not there`() throws {
    try directory.file("proc/devices", "Character devices:\n 10 misc\n\nBlock devices:\n")
    // A missing sysfs, or one that shows no small driver, proves nothing.
    #expect(hasDriver(10, 77) == nil)
    try directory.directory("sys/dev/char/1:3")
    #expect(hasDriver(10, 77) == nil)
    try directory.link("sys/dev/char/10:200", to: "../../devices/virtual/misc/tun")
    #expect(hasDriver(10, 77) == false)
    #expect(hasDriver(10, 200) == true)
  }

  @Test func `a number that a module would be loaded for is not known to have no driver`() throws {
    try directory.file("proc/devices", "Character devices:\n 10 misc\n\nBlock devices:\n")
    try directory.directory("sys/dev/char")
    try directory.link("sys/dev/char/10:200", to: "../../devices/virtual/misc/tun")
    try directory.file("proc/modules", "")
    // Without a list of modules, the result is unknown; character devices are found by major
    // number.
    #expect(hasDriver(10, 77) == nil)
    #expect(hasDriver(8, 0, isBlock: true) == nil)
    #expect(hasDriver(108, 0) == false)
    try directory.file(
      "modules/6.1.0-2/modules.alias",
      """
      alias char-major-10-229 fuse
      alias char-major-108-* ppp_generic
      alias block-major-8-* sd_mod
      """)
    #expect(hasDriver(10, 77) == false)
    #expect(hasDriver(10, 229) == nil)
    #expect(hasDriver(10, 22) == false)
    #expect(hasDriver(108, 0) == nil)
    #expect(hasDriver(8, 0, isBlock: true) == nil)
    #expect(hasDriver(9, 0, isBlock: true) == false)
  }

  @Test func `nodes are found by their numbers`() throws {
    let numbers = NumberObserver(roots: roots)
    let null = DeviceNumber(major: 1, minor: 3)
    #expect(try numbers.nodes(in: "/dev", numbered: [null]).contains("null"))
    // Links, and nodes in folders, do not count.
    try directory.directory("dev")
    try directory.link("dev/camera", to: "/dev/null")
    #expect(try numbers.nodes(in: "\(directory.path)/dev", numbered: [null]).isEmpty)
    #expect(try numbers.nodes(in: "\(directory.path)/none", numbered: [null]).isEmpty)
    #expect(try numbers.nodes(in: "/dev", numbered: []).isEmpty)
  }

  @Test(.requiresRoot) func `a node whose name is not text is found`() throws {
    let null = DeviceNumber(major: 1, minor: 3)
    try directory.directory("dev")
    let name = ByteText(bytes: [0x63, 0xFF, 0x6D]).text
    let path = ByteText("\(directory.path)/dev/\(name)").cString
    guard unsafe mknod(path, S_IFCHR | 0o600, 0x103) == 0 else {
      try Test.cancel("no device nodes can be made here")
    }
    let found = try NumberObserver(roots: roots)
      .nodes(in: "\(directory.path)/dev", numbered: [null])
    #expect(found == [name])
  }

  @Test func `a directory that cannot be read is no empty one`() throws {
    let numbers = NumberObserver(roots: roots)
    let file = try directory.file("dev", "")
    #expect(throws: Errno.notDirectory) {
      try numbers.unknownNodes(in: file, named: ["video"], besides: [])
    }
  }
}
