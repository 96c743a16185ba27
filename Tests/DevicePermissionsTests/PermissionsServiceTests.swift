import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Testing

@Suite struct `Permissions service` {
  @Test func `a member of the group is authorized`() {
    let service = PermissionsService(
      machine: InMemoryMachine {
        $0.addUser("alice", id: 1000, groups: ["video"])
        $0.addCamera()
        $0.run(as: "alice")
      })
    #expect(service.requestStatus().camera == .authorized)
  }

  @Test func `a stranger is denied, and the report says why`() {
    let service = PermissionsService(
      machine: InMemoryMachine {
        $0.addUser("alice", id: 1000)
        $0.addCamera(tags: [])
        $0.run(as: "alice")
      })
    #expect(service.requestStatus().camera == .denied)
    let report = service.report(for: Question(.kind(.camera)))
    #expect(report.availability == .present)
    #expect(report.path == "/dev/video0")
    #expect(report.reason != nil)
  }

  @Test func `a refused request is denied and never not determined`() async {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.addCamera()
      $0.run(as: "alice")
    }
    #expect(await PermissionsService(machine: machine).requestCameraAccess() == .denied)
    #expect(machine.openedPaths.isEmpty)
  }

  // Row of FromLegoKit: `AVCaptureDevice`, `AVAuthorizationStatus`, `PHPhotoLibrary`, `authorizationStatus(for:)`, `requestAccess(for:completionHandler:)`
  @Test func `a permitted capability is asked for by opening the camera once`() async {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.addCamera()
      $0.run(as: "alice", permitted: [.overrideFileAccess])
    }
    let service = PermissionsService(machine: machine)
    #expect(service.requestStatus().camera == .notDetermined)
    #expect(machine.openedPaths.isEmpty)
    #expect(await service.requestCameraAccess() == .authorized)
    #expect(machine.openedPaths == ["/dev/video0"])
  }

  // Row of FromLegoKit: `PermissionStatus`, `notDetermined`, `authorized`
  /// If the driver returned the error, the open was permitted.
  ///
  /// Too many open files say nothing about permissions.
  @Test(arguments: UnopenableMachine.outcomes)
  func `a request whose open fails is denied only where it was refused`(
    errno: Errno, status: PermissionStatus
  ) async {
    let service = PermissionsService(machine: UnopenableMachine(errno: errno))
    #expect(service.requestStatus().camera == .notDetermined)
    #expect(await service.requestCameraAccess() == status)
    #expect(service.requestStatus().camera == status)
  }

  @Test func `a granted request stays granted until the facts change`() async {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.addCamera()
      $0.run(as: "alice", permitted: [.overrideFileAccess])
    }
    let service = PermissionsService(machine: machine)
    #expect(await service.requestCamera().certainty == .proven)
    let copy = service
    #expect(copy.report(for: Question(.kind(.camera))).certainty == .predicted)
    #expect(copy.requestStatus().camera == .authorized)
    #expect(await service.requestCameraAccess() == .authorized)
    #expect(machine.openedPaths == ["/dev/video0"])

    machine.change { $0.run(as: "alice") }
    #expect(service.requestStatus().camera == .denied)
    machine.change { $0.run(as: "alice", permitted: [.overrideFileAccess]) }
    #expect(service.requestStatus().camera == .notDetermined)
  }

  @Test(arguments: [AlbumAccessLevel.addOnly, .readWrite])
  func `an album on a read-only mount takes nothing`(level: AlbumAccessLevel) async {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.run(as: "alice")
      $0.addDirectory("/home/alice/Pictures", owner: "alice")
      $0.mount(at: "/home", fstype: "ext4", readOnly: true)
    }
    let status = await PermissionsService(machine: machine).requestAlbumAccess(level)
    #expect(status == (level == .addOnly ? .restricted : .limited))
  }

  @Test func `a nodev mount restricts even root`() {
    let service = PermissionsService(
      machine: InMemoryMachine {
        $0.addCamera()
        $0.mount(at: "/dev", fstype: "devtmpfs", nodev: true)
      })
    #expect(service.requestStatus().camera == .restricted)
  }

  @Test func `no camera is told apart from a refusal`() {
    let service = PermissionsService(
      machine: InMemoryMachine {
        $0.addUser("alice", id: 1000)
        $0.run(as: "alice")
      })
    let report = service.report(for: Question(.kind(.camera)))
    #expect(report.answer == .absent)
    #expect(report.availability == .absent)
    #expect(service.requestStatus().camera == .absent)
  }

  @Test func `a refusal behind the model is never authorized`() {
    let service = PermissionsService(
      machine: InMemoryMachine {
        $0.addUser("alice", id: 1000, groups: ["video"])
        $0.addCamera()
        $0.run(as: "alice")
        $0.refuseBehindTheModel("/dev/video0")
      })
    #expect(service.requestStatus().camera != .authorized)
  }

  @Test func `one camera of two is a limited permission`() {
    let service = PermissionsService(
      machine: InMemoryMachine {
        $0.addUser("alice", id: 1000, groups: ["video"])
        $0.addCamera(0, tags: [])
        $0.addCamera(2, name: "Second", tags: [])
        $0.setMode(0o600, of: "/dev/video2")
        $0.run(as: "alice")
      })
    #expect(service.requestStatus().camera == .limited)
  }

  @Test(arguments: [
    (UInt16(0o700), PermissionStatus.authorized, PermissionStatus.authorized),
    (0o300, .limited, .authorized),
    (0o000, .denied, .denied),
  ])
  func `the album's level decides what is needed`(
    mode: UInt16, readWrite: PermissionStatus, addOnly: PermissionStatus
  ) async {
    let service = PermissionsService(
      machine: InMemoryMachine {
        $0.addUser("alice", id: 1000)
        $0.addDirectory("/home/alice/Pictures", mode: mode, owner: "alice")
        $0.run(as: "alice")
      })
    #expect(await service.requestAlbumAccess(.readWrite) == readWrite)
    #expect(await service.requestAlbumAccess(.addOnly) == addOnly)
  }

  @Test func `a path that no system call would take is undecided, not denied`() {
    let service = PermissionsService(machine: InMemoryMachine())
    let report = service.report(for: Question(.path(String(repeating: "a", count: 5000))))
    #expect(report.answer == .undetermined)
    #expect(report.status == .unknown)
    #expect(report.certainty == .undecided)
  }
}
