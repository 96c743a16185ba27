#if UMockdev
  /// Video nodes of real machines, as reported by udev.
  ///
  /// The values come from bug reports. Each node has the properties that udev had, the index in
  /// sysfs, and the driver of its parent.
  enum RecordedMachines {
    /// A webcam and an infrared camera whose metadata siblings claim to capture (systemd before
    /// 244).
    static let metadataSiblings = [
      node(
        "/devices/pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.0/video4linux/video0", minor: 0, index: 0,
        driver: "uvcvideo", product: "Integrated_Webcam_HD: Integrate", capabilities: ":capture:",
        bus: "usb", tags: ":uaccess:seat:"),
      node(
        "/devices/pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.0/video4linux/video1", minor: 1, index: 1,
        driver: "uvcvideo", product: "Integrated_Webcam_HD: Integrate", capabilities: ":capture:",
        bus: "usb", tags: ":uaccess:seat:"),
      node(
        "/devices/pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.2/video4linux/video2", minor: 2, index: 0,
        driver: "uvcvideo", product: "Integrated_Webcam_HD: Integrate", capabilities: ":capture:",
        bus: "usb", tags: ":uaccess:seat:"),
      node(
        "/devices/pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.2/video4linux/video3", minor: 3, index: 1,
        driver: "uvcvideo", product: "Integrated_Webcam_HD: Integrate", capabilities: ":capture:",
        bus: "usb", tags: ":uaccess:seat:"),
    ]

    /// A webcam and an infrared camera, both with metadata siblings.
    static let infraredCamera = [
      node(
        "/devices/pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.0/video4linux/video0",
        minor: 0, index: 0, driver: "uvcvideo", product: "HP 5MP Camera: HP 5MP Camera",
        capabilities: ":capture:", bus: "usb",
        tags: ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
        current: ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:"),
      node(
        "/devices/pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.0/video4linux/video1",
        minor: 1, index: 1, driver: "uvcvideo", product: "HP 5MP Camera: HP 5MP Camera",
        capabilities: ":", bus: "usb",
        tags: ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
        current: ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:"),
      node(
        "/devices/pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.2/video4linux/video2",
        minor: 2, index: 0, driver: "uvcvideo", product: "HP 5MP Camera: HP IR Camera",
        capabilities: ":capture:", bus: "usb",
        tags: ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
        current: ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:"),
      node(
        "/devices/pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.2/video4linux/video3",
        minor: 3, index: 1, driver: "uvcvideo", product: "HP 5MP Camera: HP IR Camera",
        capabilities: ":", bus: "usb",
        tags: ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
        current: ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:"),
    ]

    /// Codec and image processor nodes of a Raspberry Pi without a camera.
    static let raspberryPi = [
      node(
        "/devices/platform/soc/3f00b840.mailbox/bcm2835-codec/video4linux/video10", minor: 4,
        index: 0, driver: "bcm2835-codec", product: "bcm2835-codec-decode", capabilities: ":",
        tags: ":seat:uaccess:"),
      node(
        "/devices/platform/soc/3f00b840.mailbox/bcm2835-codec/video4linux/video11", minor: 5,
        index: 0, driver: "bcm2835-codec", product: "bcm2835-codec-encode", capabilities: ":",
        tags: ":seat:uaccess:"),
      node(
        "/devices/platform/soc/3f00b840.mailbox/bcm2835-codec/video4linux/video12", minor: 6,
        index: 0, driver: "bcm2835-codec", product: "bcm2835-codec-isp", capabilities: ":",
        tags: ":seat:uaccess:"),
      node(
        "/devices/platform/soc/3f00b840.mailbox/bcm2835-isp/video4linux/video13", minor: 0,
        index: 0, driver: "bcm2835-isp", product: "bcm2835-isp", capabilities: ":video_output:",
        tags: ":seat:uaccess:"),
      node(
        "/devices/platform/soc/3f00b840.mailbox/bcm2835-isp/video4linux/video14", minor: 1,
        index: 1, driver: "bcm2835-isp", product: "bcm2835-isp", capabilities: ":capture:",
        tags: ":seat:uaccess:"),
      node(
        "/devices/platform/soc/3f00b840.mailbox/bcm2835-isp/video4linux/video15", minor: 2,
        index: 2, driver: "bcm2835-isp", product: "bcm2835-isp", capabilities: ":capture:",
        tags: ":seat:uaccess:"),
      node(
        "/devices/platform/soc/3f00b840.mailbox/bcm2835-isp/video4linux/video16", minor: 3,
        index: 3, driver: "bcm2835-isp", product: "bcm2835-isp", capabilities: ":",
        tags: ":seat:uaccess:"),
    ]

    /// Raw nodes of an image processing unit, with sticky tags, and the loopback device for them.
    static let rawPipeline = [
      node(
        "/devices/pci0000:00/0000:00:05.0/intel_ipu7.isys.40/video4linux/v4l-subdev0", minor: 33,
        driver: "intel_ipu7_isys.isys", tags: ":uaccess:seat:", current: ":uaccess:seat:"),
      node(
        "/devices/pci0000:00/0000:00:05.0/intel_ipu7.isys.40/video4linux/video1", minor: 1,
        driver: "intel_ipu7_isys.isys", product: "ipu7", capabilities: ":capture:",
        tags: ":snap_firefox_geckodriver:seat:uaccess:snap_firefox_firefox:",
        current: ":snap_firefox_geckodriver:seat:snap_firefox_firefox:"),
      node(
        "/devices/pci0000:00/0000:00:05.0/intel_ipu7.isys.40/video4linux/video10", minor: 10,
        driver: "intel_ipu7_isys.isys", product: "ipu7", capabilities: ":capture:",
        tags: ":snap_firefox_geckodriver:seat:uaccess:snap_firefox_firefox:",
        current: ":snap_firefox_geckodriver:seat:snap_firefox_firefox:"),
      node(
        "/devices/pci0000:00/0000:00:05.0/intel_ipu7.isys.40/video4linux/video2", minor: 2,
        driver: "intel_ipu7_isys.isys", product: "ipu7", capabilities: ":capture:",
        tags: ":snap_firefox_geckodriver:seat:uaccess:snap_firefox_firefox:",
        current: ":snap_firefox_geckodriver:seat:snap_firefox_firefox:"),
      node(
        "/devices/pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0/usbio-i2c.3.auto/i2c-4/i2c-OVTI05C1:00/video4linux/v4l-subdev4",
        minor: 37, driver: "ov05c10", bus: "usb", tags: ":uaccess:seat:", current: ":uaccess:seat:"),
      node(
        "/devices/virtual/video4linux/video0", minor: 0, product: "Intel MIPI Camera",
        capabilities: ":video_output:",
        tags: ":snap_firefox_geckodriver:seat:uaccess:snap_firefox_firefox:",
        current: ":snap_firefox_geckodriver:seat:uaccess:snap_firefox_firefox:"),
    ]

    /// One webcam and nothing else.
    static let plainWebcam = [
      node(
        "/devices/pci0000:00/0000:00:14.0/usb3/3-1/3-1.3/3-1.3:1.0/video4linux/video0", minor: 0,
        index: 0, driver: "uvcvideo", product: "UVC Camera (046d:0825)", capabilities: ":capture:",
        bus: "usb", tags: ":seat:uaccess:")
    ]

    /// Returns one node as reported by udev; version 2 of the prober wrote product and
    /// capabilities.
    private static func node(
      _ path: String, minor: Int, index: Int? = nil, driver: String? = nil, product: String? = nil,
      capabilities: String? = nil, bus: String? = nil, tags: String, current: String? = nil
    ) -> RecordedNode {
      var properties = ["TAGS": tags]
      properties["ID_V4L_PRODUCT"] = product
      properties["ID_V4L_CAPABILITIES"] = capabilities
      properties["ID_V4L_VERSION"] = product.map { _ in "2" }
      properties["ID_BUS"] = bus
      properties["CURRENT_TAGS"] = current
      return RecordedNode(
        path: path, minor: minor, index: index, driver: driver, properties: properties)
    }
  }
#endif
