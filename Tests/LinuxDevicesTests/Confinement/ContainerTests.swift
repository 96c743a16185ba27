import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `The container around a subject` {
  @Test(
    arguments: [
      ("/system.slice/docker-0a1b.scope", "docker"), ("/docker/0a1b", "docker"),
      (
        "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-1f.scope/container",
        "podman"
      ),
      ("/machine.slice/libpod-conmon-1f.scope", nil),
      ("/kubepods.slice/kubepods-burstable.slice/cri-containerd-1.scope", "kubernetes"),
      ("/kubepods/besteffort/pod1", "kubernetes"), ("/lxc.payload.box/init.scope", "lxc"),
      ("/lxc/box", "lxc"), ("/machine.slice/machine-box.scope/payload/a", "systemd-nspawn"),
      ("/machine.slice/machine-qemu.scope/emulator", nil), ("/system.slice/docker.service", nil),
      ("/", nil),
    ] as [(String, String?)])
  func `is told by the names of control groups`(path: String, engine: String?) {
    #expect(ContainerObserver.engine(inControlGroup: path) == engine)
  }

  @Test(arguments: ["apptainer", "singularity"])
  func `is told by what its engine sets in the environment`(engine: String) {
    let variable = "\(engine.uppercased())_CONTAINER"
    let observer = ContainerObserver(
      roots: MachineRoots(), root: "/nonexistent", environment: { $0 == variable ? "/a.sif" : nil },
      mounts: MountTable(parsing: []), process: nil, user: 1000)
    #expect(observer.container(cgroup: nil, label: nil) == engine)
  }

  @Test func `names a flatpak and what it was given`() {
    let text = """
      [Application]
      name=org.example.Cam
      runtime=runtime/org.example.Platform

      [Context]
      shared=network;
      devices=dri;
      filesystems=xdg-pictures;~/x;
      """
    #expect(
      ContainerObserver.flatpak(parsing: Array(text.utf8))
        == ApplicationFacts(
          name: "org.example.Cam", devices: ["dri"], filesystems: ["xdg-pictures", "~/x"]))
    #expect(ContainerObserver.flatpak(parsing: Array("[Application]\nname=\n".utf8)) == nil)
    #expect(ContainerObserver.flatpak(parsing: Array("name=x\n".utf8)) == nil)
    let marked = "[Application]\nname=x\n[Context]\nfilesystems=/a;\u{301}b\n"
    #expect(
      ContainerObserver.flatpak(parsing: Array(marked.utf8))?.filesystems == ["/a", "\u{301}b"])
  }

  private func container(_ environment: [String: String], cgroup: String) throws -> ConfinementFacts
  {
    let recorded = try RecordedMachine(users: "", groups: "")
    try recorded.directory.file("proc/thread-self/cgroup", "0::\(cgroup)\n")
    return try withExtendedLifetime(recorded) {
      try recorded.machine(environment).facts(for: Question(.path("/dev/null"))).confinement
    }
  }

  @Test(
    arguments: [
      ([:], "/docker/1", "docker"),
      (["KUBERNETES_SERVICE_HOST": "10.0.0.1"], "/docker/1", "kubernetes"),
      (["SNAP": "/snap/x/1", "SNAP_NAME": "x"], "/", "snap"), (["container": "oci"], "/", "oci"),
      (["FLATPAK_ID": "org.example.X"], "/", "flatpak"), ([:], "/", nil),
    ] as [([String: String], String, String?)])
  func `is found out`(environment: [String: String], cgroup: String, engine: String?) throws {
    let facts = try container(environment, cgroup: cgroup)
    // The test machine may itself be a container, as its own first process shows.
    if engine != nil { #expect(facts.container == engine) }
    if engine == "snap" { #expect(facts.application?.name == "x") }
    if engine == "flatpak" { #expect(facts.application?.name == "org.example.X") }
  }

  private func sandbox(_ mountinfo: String, processes: [String: String] = [:]) throws
    -> ConfinementFacts
  {
    let recorded = try RecordedMachine(users: "", groups: "")
    try recorded.directory.file("proc/thread-self/mountinfo", mountinfo)
    for (number, line) in processes {
      try recorded.directory.file("proc/\(number)/stat", line)
    }
    return try withExtendedLifetime(recorded) {
      try recorded.machine().facts(for: Question(.path("/dev/null"))).confinement
    }
  }

  @Test func `is bubblewrap's where it made the root, or runs above a root without devices`() throws
  {
    let root = "64 42 0:39 /newroot / rw,nosuid,nodev,relatime - tmpfs tmpfs rw\n"
    #expect(try sandbox(root).container == "bubblewrap")
    let bound = "65 42 254:0 / / ro,nosuid,nodev,relatime - ext4 /dev/vda rw\n"
    let above = ["thread-self": "9 (a b) S 8 9 8", "8": "8 (sh) S 7 8 7", "7": "7 (bwrap) S 1 7 1"]
    #expect(try sandbox(bound, processes: above).container == "bubblewrap")
    // For example if the root mount allows no devices, or if the user started bwrap elsewhere.
    let others = ["thread-self": "9 (bwrap) x", "8": ""]
    #expect(try sandbox(bound, processes: others).container != "bubblewrap")
    let plain = "65 42 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
    #expect(try sandbox(plain, processes: above).container != "bubblewrap")
    // A cycle of parents ends the search.
    let circle = ["thread-self": "9 (a) S 8 9 8", "8": "8 (b) S 8 8 8"]
    #expect(try sandbox(bound, processes: circle).container != "bubblewrap")
  }

  @Test func `shows udev's database, or does not`() throws {
    let recorded = try RecordedMachine(users: "", groups: "")
    try withExtendedLifetime(recorded) {
      func hasDatabase() throws -> Bool? {
        try recorded.machine(["SNAP": "/snap/x/1", "SNAP_NAME": "x"])
          .facts(for: Question(.path("/dev/null"))).confinement.hasUdevDatabase
      }
      let before = try hasDatabase()
      #expect(before == false)
      try recorded.directory.directory("run/udev/data")
      let after = try hasDatabase()
      #expect(after == true)
    }
  }

  @Test func `tells which of its mounts are private`() throws {
    let recorded = try RecordedMachine(users: "", groups: "")
    try recorded.directory.file(
      "proc/thread-self/mountinfo",
      """
      1 0 0:1 / / rw - overlay overlay rw
      2 1 254:0 /dev/shm /dev rw - ext4 /dev/vda rw
      3 2 254:0 /x /dev/shm rw shared:7 - ext4 /dev/vda rw

      """)
    try withExtendedLifetime(recorded) {
      func mounts(_ path: String, _ environment: [String: String]) throws -> [String] {
        try recorded.machine(environment).facts(for: Question(.path(path))).confinement
          .privateMounts
      }
      let environment = ["SNAP": "/snap/x/1", "SNAP_NAME": "x"]
      let found = try ["/dev/shm/nothing", "/nothing"].map { try mounts($0, environment) }
      #expect(found == [["/dev"], []])
    }
  }
}
