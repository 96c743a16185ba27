import AccessModel
import Testing

/// The camera on the ribbon connector of a Raspberry Pi.
@Suite struct `A board's own camera` {
  private static func explain(
    _ kernel: String, kind: String?, _ change: (inout Fixtures) -> Void = { _ in }
  ) -> Explanation {
    Fixtures.camera.with {
      $0.removeDevices()
      $0.facts.kind = kind
      $0.addCamera(10, name: "bcm2835-codec-decode")
      $0.device(10) { $0.driver = "bcm2835-codec" }
      $0.facts.confinement.kernelRelease = kernel
      $0.facts.hardware = HardwareFacts()
      change(&$0)
    }.explain()
  }

  @Test(
    arguments: [
      ("4.19.118-v7l+", ["start_x=1", "gpu_mem=128"]),
      ("6.6.51+rpt-rpi-v8", ["camera_auto_detect=1"]),
      ("6.8.0-1013-raspi", ["camera_auto_detect=1"]),
    ])
  func `is enabled in config_txt`(kernel: String, options: [String]) {
    for kind in ["camera", nil] {
      let explanation = Self.explain(kernel, kind: kind)
      #expect(explanation.answer == .absent)
      #expect(explanation.cause?.code == .hardwareOff)
      #expect(explanation.cause?.isProven == false)
      #expect(explanation.remedies.first?.options == options)
      #expect(explanation.remedies.first?.takesEffect == "after a reboot")
    }
  }

  @Test(arguments: ["unicam", "rp1-cfe", "uvcvideo"])
  func `is not missing where a receiver or another camera exists`(driver: String) {
    let explanation = Self.explain("6.6.51+rpt-rpi-v8", kind: "camera") {
      $0.addCamera(0)
      $0.device(0) { $0.driver = driver }
    }
    #expect(explanation.cause?.code != .hardwareOff)
  }

  @Test func `is no cause on another machine`() {
    #expect(Self.explain("6.8.0-49-generic", kind: "camera").cause?.code != .hardwareOff)
  }
}
