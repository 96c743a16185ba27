#if UMockdev
  import AccessModel
  import DevicePermissionsTesting
  import Testing

  @testable import LinuxDevices

  @Suite(.requiresUMockdev) struct HotplugTests {
    @Test(.timeLimit(.minutes(1)))
    func `plugging and unplugging reaches whoever listens`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        let events = try LinuxMachine().events()
        let paths = try testbed.add([RecordedMachines.plainWebcam[0]])
        let path = try #require(paths["video0"])
        testbed.send("add", about: path)

        // Each is sent when the one before has arrived: a listener who is late hears of the last.
        var received: [DeviceEvent] = []
        for await event in events where event.subsystem == "video4linux" {
          received.append(event)
          switch event.action {
          case .add: testbed.send("change", about: path)
          case .change: testbed.remove(path)
          default: break
          }
          if event.action == .remove { break }
        }
        #expect(received.map(\.action).contains(.add))
        #expect(received.map(\.action).suffix(2) == [.change, .remove])
        #expect(Set(received.map(\.kernelName)) == ["video0"])
        #expect(Set(received.map(\.node)) == ["/dev/video0"])
        #expect(try LinuxMachine().devices(of: .camera).isEmpty)
      }
    }

    @Test(.timeLimit(.minutes(1)))
    func `each listener hears of every event, and one that is cancelled ends`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        let machine = LinuxMachine()
        let first = try machine.events()
        let second = try machine.events()
        let cancelled = Task { for await _ in second {} }
        cancelled.cancel()
        await cancelled.value
        let path = try #require(try testbed.add([RecordedMachines.plainWebcam[0]])["video0"])
        testbed.send("add", about: path)
        var names: [String] = []
        for await event in first {
          names.append(event.kernelName)
          if event.subsystem == "video4linux" { break }
        }
        #expect(names.last == "video0")
      }
    }
  }
#endif
