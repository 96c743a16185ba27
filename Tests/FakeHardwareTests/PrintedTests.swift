#if UMockdev
  import DevicePermissions
  import DevicePermissionsTesting
  import Testing

  @Suite(.requiresUMockdev) struct `Fake hardware` {
    @Test(.timeLimit(.minutes(1)))
    func `is listed while it is plugged in`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        var lists = DeviceService().listings(of: .camera).makeAsyncIterator()
        #expect(try await lists.next()?.listings.isEmpty == true)

        let camera = try testbed.add(
          subsystem: "video4linux", name: "video0",
          attributes: ["name": "Integrated Camera", "dev": "81:0"],
          properties: [
            "DEVNAME": "/dev/video0", "MAJOR": "81", "MINOR": "0",
            "ID_V4L_CAPABILITIES": ":capture:",
          ])
        testbed.send("add", about: camera)
        #expect(try await lists.next()?.added.map(\.device.node) == ["/dev/video0"])
        #expect(PermissionsService().requestStatus().camera == .absent)

        testbed.remove(camera)
        #expect(try await lists.next()?.removed.map(\.device.node) == ["/dev/video0"])
      }
    }
  }
#endif
