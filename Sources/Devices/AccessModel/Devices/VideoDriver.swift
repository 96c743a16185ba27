/// The class of a video driver, which applies to all of its nodes.
///
/// `ID_V4L_CAPABILITIES` does not distinguish a raw node of a camera pipeline from a webcam, but
/// the driver's name does.
enum VideoDriver: Hashable, Sendable {
  /// `uvcvideo`, which registers pairs of a capture node and a metadata node.
  case usbVideoClass
  /// The driver of virtual cameras, which other programs feed.
  case loopback
  /// A driver of codecs or scalers.
  case memoryToMemory
  /// A driver with raw nodes, which only a media controller program such as libcamera can use.
  case pipeline
  case unknown

  private static let memoryToMemoryNames = [
    "bcm2835-codec", "rpivid", "rpi-hevc-dec", "hantro", "rkvdec", "rockchip-rga", "cedrus",
    "coda", "s5p-mfc", "s5p-jpeg", "mtk-vcodec", "mtk-jpeg", "qcom-venus", "vicodec", "vim2m",
    "wave5", "meson-vdec", "allegro", "mxc-jpeg", "bdisp", "dw100", "sun8i-di", "sun8i-rotate",
  ]

  private static let pipelineNames = [
    "bcm2835-isp", "unicam", "bcm2835-unicam", "rp1-cfe", "pispbe", "pisp_be", "intel_ipu",
    "intel-ipu", "ipu3-cio2", "ipu3-imgu", "isys", "rkisp1", "rockchip-isp1", "rkcif",
    "qcom-camss", "omap3isp", "s5p-fimc", "exynos4-fimc", "mtk-cam", "mxc-isi", "imx7-csi",
    "imx-media", "c3-isp", "mali-c55", "vimc", "sun6i-csi", "sun6i-isp", "stm32-dcmipp",
    "starfive-camss", "rzg2l-cru",
  ]

  /// Creates the class of a device's driver, from its name or, without a driver, from the sysfs
  /// path.
  init(of device: DeviceFacts) {
    guard let name = device.driver else {
      // A virtual video device has no parent and therefore no driver link. Only the loopback driver
      // creates such devices.
      self = device.isBelow("/devices/virtual/video4linux/") ? .loopback : .unknown
      return
    }
    self.init(named: name)
  }

  /// Creates the class of the driver with the given name.
  init(named name: String) {
    if name == "uvcvideo" {
      self = .usbVideoClass
    } else if name.hasPrefix("v4l2loopback") || name == "v4l2 loopback" {
      self = .loopback
    } else if Self.memoryToMemoryNames.contains(where: name.hasPrefix) {
      self = .memoryToMemory
    } else if Self.pipelineNames.contains(where: name.hasPrefix) {
      self = .pipeline
    } else {
      self = .unknown
    }
  }
}
