/// What the name of a video driver gives away about all of its nodes.
///
/// `ID_V4L_CAPABILITIES` cannot tell a raw node of a camera pipeline from a webcam; the driver
/// can.
enum VideoDriver: Hashable, Sendable {
  /// `uvcvideo`: pairs of a capture node and a metadata node.
  case usbVideoClass
  /// A virtual camera that another program feeds.
  case loopback
  /// Codecs and scalers.
  case memoryToMemory
  /// Raw nodes that only a media controller program such as libcamera can use.
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

  /// The driver of a device, from its name or, for one without a parent, from its place.
  init(of device: DeviceFacts) {
    guard let name = device.driver else {
      // A virtual video device has no parent and so no driver link; only the loopback driver
      // makes such devices.
      self = device.isBelow("/devices/virtual/video4linux/") ? .loopback : .unknown
      return
    }
    self.init(named: name)
  }

  /// The driver of a name.
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
