import UdevRules

extension RecordedNodes {
  /// The video nodes of sixteen machines.
  static let all = [
    RecordedNodes(
      machine: "a laptop with two cameras", names: ["video0", "video1"],
      below: "pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.0", driver: "uvcvideo", indexes: [0, 1],
      capabilities: ":capture:", product: "Integrated_Webcam_HD: Integrate", usb: "0bda:58f5",
      serial: "200901010001", path: "pci-0000:00:14.0-usb-0:5:1.0",
      seat: "video4linux-pci-0000_00_14_0-usb-0_5_1_0", tags: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "a laptop with two cameras", names: ["video2", "video3"],
      below: "pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.2", driver: "uvcvideo", indexes: [0, 1],
      capabilities: ":capture:", product: "Integrated_Webcam_HD: Integrate", usb: "0bda:58f5",
      serial: "200901010001", path: "pci-0000:00:14.0-usb-0:5:1.2",
      seat: "video4linux-pci-0000_00_14_0-usb-0_5_1_2", tags: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "a Dell Inspiron 3521", names: ["video0"],
      below: "pci0000:00/0000:00:1a.0/usb1/1-1/1-1.4/1-1.4:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "Laptop_Integrated_Webcam_HD", usb: "0c45:64ad",
      path: "pci-0000:00:1a.0-usb-0:1.4:1.0", seat: "video4linux-pci-0000_00_1a_0-usb-0_1_4_1_0",
      tags: ["seat", "uaccess", "udev-acl"]),
    RecordedNodes(
      machine: "a Dell Inspiron 3048", names: ["video0"],
      below: "pci0000:00/0000:00:14.0/usb3/3-4/3-4:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "Integrated_Webcam_HD", usb: "1bcf:2b8b",
      path: "pci-0000:00:14.0-usb-0:4:1.0", tags: ["udev-acl"]),
    RecordedNodes(
      machine: "a Dell Inspiron 7737", names: ["video0"],
      below: "pci0000:00/0000:00:14.0/usb2/2-5/2-5:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "Integrated_Webcam_HD", usb: "0bda:5750",
      serial: "200901010001", path: "pci-0000:00:14.0-usb-0:5:1.0", tags: ["udev-acl"]),
    RecordedNodes(
      machine: "a Dell Latitude E6430", names: ["video0"],
      below: "pci0000:00/0000:00:1a.0/usb1/1-1/1-1.5/1-1.5:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "Integrated Webcam", usb: "1bcf:2895",
      path: "pci-0000:00:1a.0-usb-0:1.5:1.0", tags: ["udev-acl"]),
    RecordedNodes(
      machine: "a Dell Vostro 3460", names: ["video0"],
      below: "pci0000:00/0000:00:1a.0/usb1/1-1/1-1.5/1-1.5:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "Laptop_Integrated_Webcam_E4HD", usb: "0c45:6449",
      path: "pci-0000:00:1a.0-usb-0:1.5:1.0", tags: ["udev-acl"]),
    RecordedNodes(
      machine: "a laptop with eMMC", names: ["video0"],
      below: "pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "Integrated_Webcam_HD", usb: "1bcf:28c0",
      path: "pci-0000:00:14.0-usb-0:5:1.0", seat: "video4linux-pci-0000_00_14_0-usb-0_5_1_0",
      tags: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "an HP EliteBook 835", names: ["video0"],
      below: "pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.0", driver: "uvcvideo",
      indexes: [0], capabilities: ":capture:", product: "HP 5MP Camera: HP 5MP Camera",
      usb: "05c8:082f", serial: "01.00.00", path: "pci-0000:c4:00.4-usb-0:1:1.0",
      seat: "video4linux-pci-0000_c4_00_4-usb-0_1_1_0",
      tags: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver", "uaccess"],
      current: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver", "uaccess"]),
    RecordedNodes(
      machine: "an HP EliteBook 835", names: ["video1"],
      below: "pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.0", driver: "uvcvideo",
      indexes: [1], capabilities: ":", product: "HP 5MP Camera: HP 5MP Camera", usb: "05c8:082f",
      serial: "01.00.00", path: "pci-0000:c4:00.4-usb-0:1:1.0",
      seat: "video4linux-pci-0000_c4_00_4-usb-0_1_1_0",
      tags: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver", "uaccess"],
      current: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver", "uaccess"]),
    RecordedNodes(
      machine: "an HP EliteBook 835", names: ["video2"],
      below: "pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.2", driver: "uvcvideo",
      indexes: [0], capabilities: ":capture:", product: "HP 5MP Camera: HP IR Camera",
      usb: "05c8:082f", serial: "01.00.00", path: "pci-0000:c4:00.4-usb-0:1:1.2",
      seat: "video4linux-pci-0000_c4_00_4-usb-0_1_1_2",
      tags: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver", "uaccess"],
      current: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver", "uaccess"]),
    RecordedNodes(
      machine: "an HP EliteBook 835", names: ["video3"],
      below: "pci0000:00/0000:00:08.1/0000:c4:00.4/usb3/3-1/3-1:1.2", driver: "uvcvideo",
      indexes: [1], capabilities: ":", product: "HP 5MP Camera: HP IR Camera", usb: "05c8:082f",
      serial: "01.00.00", path: "pci-0000:c4:00.4-usb-0:1:1.2",
      seat: "video4linux-pci-0000_c4_00_4-usb-0_1_1_2",
      tags: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver", "uaccess"],
      current: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver", "uaccess"]),
    RecordedNodes(
      machine: "an HP Envy 15", names: ["video0"],
      below: "pci0000:00/0000:00:1a.0/usb1/1-1/1-1.3/1-1.3:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "HP Truevision HD", usb: "05c8:0360",
      path: "pci-0000:00:1a.0-usb-0:1.3:1.0", tags: ["udev-acl"]),
    RecordedNodes(
      machine: "an HP ProBook 6550b", names: ["video0"],
      below: "pci0000:00/0000:00:1d.0/usb2/2-1/2-1.4/2-1.4:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "USB2.0 Camera", usb: "1871:0101",
      path: "pci-0000:00:1d.0-usb-0:1.4:1.0", tags: ["udev-acl"]),
    RecordedNodes(
      machine: "an image processor of Intel", names: (1...32).map { "video\($0)" },
      below: "pci0000:00/0000:00:05.0/intel_ipu7.isys.40", driver: "intel_ipu7_isys.isys",
      capabilities: ":capture:", product: "ipu7",
      tags: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver", "uaccess"],
      current: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver"]),
    RecordedNodes(
      machine: "an image processor of Intel",
      names: ["v4l-subdev0", "v4l-subdev1", "v4l-subdev2", "v4l-subdev3"],
      below: "pci0000:00/0000:00:05.0/intel_ipu7.isys.40", driver: "intel_ipu7_isys.isys",
      tags: ["seat", "uaccess"], current: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "an image processor of Intel", names: ["v4l-subdev4"],
      below: "pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0/usbio-i2c.3.auto/i2c-4/i2c-OVTI05C1:00",
      driver: "ov05c10", usb: "06cb:0701", serial: "01.00.00.00",
      path: "pci-0000:00:14.0-usb-0:3:1.0-platform-usbio-i2c.3.auto",
      seat: "video4linux-pci-0000_00_14_0-usb-0_3_1_0-platform-usbio-i2c_3_auto",
      tags: ["seat", "uaccess"], current: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "an image processor of Intel", names: ["video0"], below: "virtual",
      capabilities: ":video_output:", product: "Intel MIPI Camera",
      tags: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver", "uaccess"],
      current: ["seat", "snap_firefox_firefox", "snap_firefox_geckodriver", "uaccess"]),
    RecordedNodes(
      machine: "a Lenovo E431", names: ["video0"],
      below: "pci0000:00/0000:00:1a.0/usb1/1-1/1-1.6/1-1.6:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "Integrated Camera", usb: "5986:0397",
      path: "pci-0000:00:1a.0-usb-0:1.6:1.0", tags: ["udev-acl"]),
    RecordedNodes(
      machine: "a Lenovo T420", names: ["video0"],
      below: "pci0000:00/0000:00:1a.0/usb1/1-1/1-1.6/1-1.6:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "Integrated Camera", usb: "04f2:b221",
      path: "pci-0000:00:1a.0-usb-0:1.6:1.0", tags: ["udev-acl"]),
    RecordedNodes(
      machine: "a webcam of Logitech", names: ["video0"],
      below: "pci0000:00/0000:00:14.0/usb3/3-1/3-1.3/3-1.3:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "UVC Camera (046d:0825)", usb: "046d:0825",
      serial: "9C96B560", path: "pci-0000:00:14.0-usb-0:1.3:1.0",
      seat: "video4linux-pci-0000_00_14_0-usb-0_1_3_1_0", tags: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "a laptop with a card reader", names: ["video0"],
      below: "pci0000:00/0000:00:14.0/usb1/1-11/1-11:1.0", driver: "uvcvideo", indexes: [0],
      capabilities: ":capture:", product: "Integrated_Webcam_HD", usb: "1bcf:28b8",
      path: "pci-0000:00:14.0-usb-0:11:1.0", seat: "video4linux-pci-0000_00_14_0-usb-0_11_1_0",
      tags: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "a Raspberry Pi 3B", names: ["video10"],
      below: "platform/soc/3f00b840.mailbox/bcm2835-codec", driver: "bcm2835-codec", indexes: [0],
      capabilities: ":", product: "bcm2835-codec-decode", path: "platform-bcm2835-codec",
      seat: "video4linux-platform-bcm2835-codec", tags: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "a Raspberry Pi 3B", names: ["video11"],
      below: "platform/soc/3f00b840.mailbox/bcm2835-codec", driver: "bcm2835-codec", indexes: [0],
      capabilities: ":", product: "bcm2835-codec-encode", path: "platform-bcm2835-codec",
      seat: "video4linux-platform-bcm2835-codec", tags: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "a Raspberry Pi 3B", names: ["video12"],
      below: "platform/soc/3f00b840.mailbox/bcm2835-codec", driver: "bcm2835-codec", indexes: [0],
      capabilities: ":", product: "bcm2835-codec-isp", path: "platform-bcm2835-codec",
      seat: "video4linux-platform-bcm2835-codec", tags: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "a Raspberry Pi 3B", names: ["video13"],
      below: "platform/soc/3f00b840.mailbox/bcm2835-isp", driver: "bcm2835-isp", indexes: [0],
      capabilities: ":video_output:", product: "bcm2835-isp", path: "platform-bcm2835-isp",
      seat: "video4linux-platform-bcm2835-isp", tags: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "a Raspberry Pi 3B", names: ["video14", "video15"],
      below: "platform/soc/3f00b840.mailbox/bcm2835-isp", driver: "bcm2835-isp", indexes: [1, 2],
      capabilities: ":capture:", product: "bcm2835-isp", path: "platform-bcm2835-isp",
      seat: "video4linux-platform-bcm2835-isp", tags: ["seat", "uaccess"]),
    RecordedNodes(
      machine: "a Raspberry Pi 3B", names: ["video16"],
      below: "platform/soc/3f00b840.mailbox/bcm2835-isp", driver: "bcm2835-isp", indexes: [3],
      capabilities: ":", product: "bcm2835-isp", path: "platform-bcm2835-isp",
      seat: "video4linux-platform-bcm2835-isp", tags: ["seat", "uaccess"]),
  ]
}
