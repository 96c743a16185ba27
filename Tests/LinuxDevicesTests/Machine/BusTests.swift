import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Hardware without a driver on PCI, I2C and the platform bus, read from files that imitate sysfs.
final class BusTests {
  private let directory: TemporaryDirectory
  private let roots: MachineRoots

  init() throws {
    directory = try TemporaryDirectory()
    roots = MachineRoots(below: directory)
    try directory.file("proc/sys/kernel/osrelease", "6.1.0-2\n")
    try directory.directory("sys/module")
    try directory.file(
      "modules/6.1.0-2/modules.dep",
      """
      kernel/sound/pci/hda/snd-hda-intel.ko.xz: kernel/sound/core/snd.ko.xz
      kernel/drivers/media/i2c/imx219.ko:
      kernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko:
      kernel/drivers/input/touchscreen/goodix.ko:

      """)
    try directory.file(
      "modules/6.1.0-2/modules.alias",
      """
      # Aliases extracted from modules themselves.
      alias pci:v00008086d000051C8sv*sd*bc*sc*i* snd_hda_intel
      alias pci:v00001002d0000744Csv*sd*bc03sc[08]0i* amdgpu
      alias of:N*T*Csony,imx219C* imx219
      alias of:N*T*Csony,imx219 imx219
      alias acpi*:GDIX1001:* goodix

      """)
  }

  /// Adds a device without a driver to a bus.
  private func add(_ name: String, on bus: String, _ modalias: String, class number: String? = nil)
    throws
  {
    let folder = "sys/bus/\(bus)/devices/\(name)"
    try directory.file("\(folder)/modalias", modalias + "\n")
    guard let number else { return }
    try directory.file("\(folder)/class", number + "\n")
    try directory.file("\(folder)/vendor", "0x8086\n")
    try directory.file("\(folder)/device", "0x51c8\n")
  }

  private func observe(_ kind: DeviceKind) -> HardwareFacts {
    var unobserved: [Unobserved] = []
    return HardwareObserver(roots: roots).observe(&unobserved, of: kind)
  }

  private static let sound = "pci:v00008086d000051C8sv0000103Csd00008A02bc04sc03i00"

  @Test func `a sound card on PCI without a driver is found, with the module of its modalias`()
    throws
  {
    try add("0000:00:1f.3", on: "pci", Self.sound, class: "0x040300")
    try add("0000:00:02.0", on: "pci", "pci:v00008086d00004680", class: "0x030000")
    let facts = observe(.microphone)
    let unbound = try #require(facts.unbound.first)
    #expect(facts.unbound.count == 1)
    #expect(unbound.sysfsPath == "\(roots.sysfs)/bus/pci/devices/0000:00:1f.3")
    #expect(unbound.module == "snd_hda_intel")
    #expect(unbound.identifiers == "8086:51c8")
    #expect(facts.modules.map(\.name) == ["snd_hda_intel"])
    #expect(facts.modules.first.map { $0.isInstalled && !$0.isLoaded } == true)
  }

  @Test func `a blacklisted module of a card is told as that`() throws {
    try add(
      "0000:0c:00.0", on: "pci", "pci:v00001002d0000744Csv0sd0bc03sc00i00", class: "0x030000")
    try directory.file("etc/modprobe.d/local.conf", "blacklist amdgpu\n")
    let facts = observe(.gpu)
    #expect(facts.unbound.map(\.module) == ["amdgpu"])
    #expect(facts.modules.first?.isBlacklisted == true)
  }

  @Test func `a card for which this kernel has no module is found without one`() throws {
    try add("0000:00:1f.3", on: "pci", "pci:v00001274d00005000", class: "0x040100")
    #expect(observe(.microphone).unbound.map(\.module) == [nil])
  }

  @Test func `a sensor on I2C is a camera's by its module, and a touchscreen is not`() throws {
    try add("10-0010", on: "i2c", "of:NsensorT(null)Csony,imx219")
    try add("i2c-GDIX1001:00", on: "i2c", "acpi:GDIX1001:GDIX1001:")
    let facts = observe(.camera)
    #expect(facts.unbound.map(\.module) == ["imx219"])
    #expect(observe(.microphone).unbound.isEmpty)
  }

  @Test(arguments: [("snd_hda_intel", false), ("vfio-pci", true)])
  func `a card that has a driver is held only for a virtual machine`(
    driver: String, isHeld: Bool
  ) throws {
    try add("0000:00:1f.3", on: "pci", Self.sound, class: "0x040300")
    _ = try directory.link(
      "sys/bus/pci/devices/0000:00:1f.3/driver", to: "../../../bus/pci/drivers/\(driver)")
    let facts = observe(.microphone)
    #expect(facts.unbound.isEmpty)
    #expect(facts.held.map(\.driver) == (isHeld ? [driver] : []))
  }

  @Test func `of several modules for a card the one that is kept from loading is named`() throws {
    try directory.file(
      "modules/6.1.0-2/modules.dep",
      """
      kernel/sound/pci/hda/snd-hda-intel.ko:
      kernel/sound/soc/intel/avs/snd-soc-avs.ko:

      """)
    try directory.file(
      "modules/6.1.0-2/modules.alias",
      """
      alias pci:v00008086d000051C8sv*sd*bc*sc*i* snd_hda_intel
      alias pci:v00008086d000051C8sv*sd*bc*sc*i* snd_soc_avs

      """)
    try directory.file("etc/modprobe.d/local.conf", "blacklist snd_soc_avs\n")
    try add("0000:00:1f.3", on: "pci", Self.sound, class: "0x040300")
    #expect(observe(.microphone).unbound.map(\.module) == ["snd_soc_avs"])
  }
}
