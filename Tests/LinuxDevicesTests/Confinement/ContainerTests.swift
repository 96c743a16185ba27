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
    // A machine of tests may be a container itself, which its own first process says.
    if engine != nil { #expect(facts.container == engine) }
    if engine == "snap" { #expect(facts.application?.name == "x") }
    if engine == "flatpak" { #expect(facts.application?.name == "org.example.X") }
  }
}
