#if UMockdev
  import AccessModel
  import DevicePermissionsTesting
  import Testing

  @testable import DeviceWatching
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

        // Each event is sent after the previous one arrived, because late listeners receive only
        // the last.
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

    /// An event about a camera must not cause a scan of the album or discard the subject's facts.
    @Test(.timeLimit(.minutes(1)))
    func `an event touches the questions about its kind`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        let names = [
          "usb": "usb1/1-1", "video4linux": "usb1/1-1/video0", "sound": "card0/pcmC0D0c",
        ]
        for (subsystem, name) in names {
          try testbed.add(
            description: "P: /devices/\(name)\nE: SUBSYSTEM=\(subsystem)\n\n")
        }
        let targets: [Question.Target] = [
          .kind(.camera), .kind(.microphone), .kind(.album), .path("/dev/video0"), .path("/srv/x"),
        ]
        let watch = try #require(try LinuxMachine().watch(targets) as? LinuxWatch)
        var signals = watch.signals.makeAsyncIterator()
        let expected: [String: QuestionNumbers] = [
          "usb": [0, 1, 3], "video4linux": [0, 3], "sound": [1, 3],
        ]
        for (subsystem, numbers) in expected {
          var touched = TouchedQuestions.all
          // Sessions and mounts of other tests affect all questions.
          for _ in 0..<20 where touched == .all {
            _ = watch.takeAllChanges()
            testbed.send("change", about: "/sys/devices/\(names[subsystem] ?? "")")
            repeat {
              _ = await signals.next()
              touched = watch.takeReportedChanges().questions
            } while touched == .none
          }
          #expect(touched == .some(numbers), "\(subsystem)")
        }
      }
    }
  }
#endif
