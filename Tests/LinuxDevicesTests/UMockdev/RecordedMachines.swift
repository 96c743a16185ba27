#if UMockdev
  /// Video nodes of real machines, as udev told them.
  ///
  /// Values are facts of bug reports; each node has the properties that udev had, the index in
  /// sysfs, and the driver of its parent.
  enum RecordedMachines {
    /// A webcam and an infrared camera with metadata siblings that claim to capture (systemd before 244).
    static let metadataSiblings = [
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.0/video4linux/video0", minor: 0,
        index: 0, driver: "uvcvideo",
        properties: [
          "ID_V4L_PRODUCT": "Integrated_Webcam_HD: Integrate",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "ID_BUS": "usb",
          "TAGS": ":uaccess:seat:",
        ]),
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.0/video4linux/video1", minor: 1,
        index: 1, driver: "uvcvideo",
        properties: [
          "ID_V4L_PRODUCT": "Integrated_Webcam_HD: Integrate",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "ID_BUS": "usb",
          "TAGS": ":uaccess:seat:",
        ]),
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.2/video4linux/video2", minor: 2,
        index: 0, driver: "uvcvideo",
        properties: [
          "ID_V4L_PRODUCT": "Integrated_Webcam_HD: Integrate",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "ID_BUS": "usb",
          "TAGS": ":uaccess:seat:",
        ]),
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.2/video4linux/video3", minor: 3,
        index: 1, driver: "uvcvideo",
        properties: [
          "ID_V4L_PRODUCT": "Integrated_Webcam_HD: Integrate",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "ID_BUS": "usb",
          "TAGS": ":uaccess:seat:",
        ]),
    ]

    /// A webcam and an infrared camera, both with metadata siblings.
    static let infraredCamera = [
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.0/video4linux/video0",
        minor: 0,
        index: 0, driver: "uvcvideo",
        properties: [
          "ID_V4L_PRODUCT": "HP 5MP Camera: HP 5MP Camera",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "ID_BUS": "usb",
          "TAGS": ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
          "CURRENT_TAGS": ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
        ]),
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.0/video4linux/video1",
        minor: 1,
        index: 1, driver: "uvcvideo",
        properties: [
          "ID_V4L_PRODUCT": "HP 5MP Camera: HP 5MP Camera",
          "ID_V4L_CAPABILITIES": ":",
          "ID_V4L_VERSION": "2",
          "ID_BUS": "usb",
          "TAGS": ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
          "CURRENT_TAGS": ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
        ]),
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.2/video4linux/video2",
        minor: 2,
        index: 0, driver: "uvcvideo",
        properties: [
          "ID_V4L_PRODUCT": "HP 5MP Camera: HP IR Camera",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "ID_BUS": "usb",
          "TAGS": ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
          "CURRENT_TAGS": ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
        ]),
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.2/video4linux/video3",
        minor: 3,
        index: 1, driver: "uvcvideo",
        properties: [
          "ID_V4L_PRODUCT": "HP 5MP Camera: HP IR Camera",
          "ID_V4L_CAPABILITIES": ":",
          "ID_V4L_VERSION": "2",
          "ID_BUS": "usb",
          "TAGS": ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
          "CURRENT_TAGS": ":seat:snap_firefox_geckodriver:snap_firefox_firefox:uaccess:",
        ]),
    ]

    /// Codec and image processor nodes of a Raspberry Pi without a camera.
    static let raspberryPi = [
      RecordedNode(
        path: "/devices/platform/soc/3f00b840.mailbox/bcm2835-codec/video4linux/video10", minor: 4,
        index: 0, driver: "bcm2835-codec",
        properties: [
          "ID_V4L_PRODUCT": "bcm2835-codec-decode",
          "ID_V4L_CAPABILITIES": ":",
          "ID_V4L_VERSION": "2",
          "TAGS": ":seat:uaccess:",
        ]),
      RecordedNode(
        path: "/devices/platform/soc/3f00b840.mailbox/bcm2835-codec/video4linux/video11", minor: 5,
        index: 0, driver: "bcm2835-codec",
        properties: [
          "ID_V4L_PRODUCT": "bcm2835-codec-encode",
          "ID_V4L_CAPABILITIES": ":",
          "ID_V4L_VERSION": "2",
          "TAGS": ":seat:uaccess:",
        ]),
      RecordedNode(
        path: "/devices/platform/soc/3f00b840.mailbox/bcm2835-codec/video4linux/video12", minor: 6,
        index: 0, driver: "bcm2835-codec",
        properties: [
          "ID_V4L_PRODUCT": "bcm2835-codec-isp",
          "ID_V4L_CAPABILITIES": ":",
          "ID_V4L_VERSION": "2",
          "TAGS": ":seat:uaccess:",
        ]),
      RecordedNode(
        path: "/devices/platform/soc/3f00b840.mailbox/bcm2835-isp/video4linux/video13", minor: 0,
        index: 0, driver: "bcm2835-isp",
        properties: [
          "ID_V4L_PRODUCT": "bcm2835-isp",
          "ID_V4L_CAPABILITIES": ":video_output:",
          "ID_V4L_VERSION": "2",
          "TAGS": ":seat:uaccess:",
        ]),
      RecordedNode(
        path: "/devices/platform/soc/3f00b840.mailbox/bcm2835-isp/video4linux/video14", minor: 1,
        index: 1, driver: "bcm2835-isp",
        properties: [
          "ID_V4L_PRODUCT": "bcm2835-isp",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "TAGS": ":seat:uaccess:",
        ]),
      RecordedNode(
        path: "/devices/platform/soc/3f00b840.mailbox/bcm2835-isp/video4linux/video15", minor: 2,
        index: 2, driver: "bcm2835-isp",
        properties: [
          "ID_V4L_PRODUCT": "bcm2835-isp",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "TAGS": ":seat:uaccess:",
        ]),
      RecordedNode(
        path: "/devices/platform/soc/3f00b840.mailbox/bcm2835-isp/video4linux/video16", minor: 3,
        index: 3, driver: "bcm2835-isp",
        properties: [
          "ID_V4L_PRODUCT": "bcm2835-isp",
          "ID_V4L_CAPABILITIES": ":",
          "ID_V4L_VERSION": "2",
          "TAGS": ":seat:uaccess:",
        ]),
    ]

    /// Raw nodes of an image processing unit, with sticky tags, and the loopback device in front of it.
    static let rawPipeline = [
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:05.0/intel_ipu7.isys.40/video4linux/v4l-subdev0",
        minor: 33,
        index: nil, driver: "intel_ipu7_isys.isys",
        properties: [
          "TAGS": ":uaccess:seat:",
          "CURRENT_TAGS": ":uaccess:seat:",
        ]),
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:05.0/intel_ipu7.isys.40/video4linux/video1", minor: 1,
        index: nil, driver: "intel_ipu7_isys.isys",
        properties: [
          "ID_V4L_PRODUCT": "ipu7",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "TAGS": ":snap_firefox_geckodriver:seat:uaccess:snap_firefox_firefox:",
          "CURRENT_TAGS": ":snap_firefox_geckodriver:seat:snap_firefox_firefox:",
        ]),
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:05.0/intel_ipu7.isys.40/video4linux/video10", minor: 10,
        index: nil, driver: "intel_ipu7_isys.isys",
        properties: [
          "ID_V4L_PRODUCT": "ipu7",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "TAGS": ":snap_firefox_geckodriver:seat:uaccess:snap_firefox_firefox:",
          "CURRENT_TAGS": ":snap_firefox_geckodriver:seat:snap_firefox_firefox:",
        ]),
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:05.0/intel_ipu7.isys.40/video4linux/video2", minor: 2,
        index: nil, driver: "intel_ipu7_isys.isys",
        properties: [
          "ID_V4L_PRODUCT": "ipu7",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "TAGS": ":snap_firefox_geckodriver:seat:uaccess:snap_firefox_firefox:",
          "CURRENT_TAGS": ":snap_firefox_geckodriver:seat:snap_firefox_firefox:",
        ]),
      RecordedNode(
        path:
          "/devices/pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0/usbio-i2c.3.auto/i2c-4/i2c-OVTI05C1:00/video4linux/v4l-subdev4",
        minor: 37,
        index: nil, driver: "ov05c10",
        properties: [
          "ID_BUS": "usb",
          "TAGS": ":uaccess:seat:",
          "CURRENT_TAGS": ":uaccess:seat:",
        ]),
      RecordedNode(
        path: "/devices/virtual/video4linux/video0", minor: 0,
        index: nil, driver: nil,
        properties: [
          "ID_V4L_PRODUCT": "Intel MIPI Camera",
          "ID_V4L_CAPABILITIES": ":video_output:",
          "ID_V4L_VERSION": "2",
          "TAGS": ":snap_firefox_geckodriver:seat:uaccess:snap_firefox_firefox:",
          "CURRENT_TAGS": ":snap_firefox_geckodriver:seat:uaccess:snap_firefox_firefox:",
        ]),
    ]

    /// One webcam and nothing else.
    static let plainWebcam = [
      RecordedNode(
        path: "/devices/pci0000:00/0000:00:14.0/usb3/3-1/3-1.3/3-1.3:1.0/video4linux/video0",
        minor: 0,
        index: 0, driver: "uvcvideo",
        properties: [
          "ID_V4L_PRODUCT": "UVC Camera (046d:0825)",
          "ID_V4L_CAPABILITIES": ":capture:",
          "ID_V4L_VERSION": "2",
          "ID_BUS": "usb",
          "TAGS": ":seat:uaccess:",
        ])
    ]
  }
#endif
