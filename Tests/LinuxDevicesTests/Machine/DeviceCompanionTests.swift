import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

struct DeviceCompanionTests {
  @Test
  func `media controllers and memory are companions, and nothing else is`() throws {
    let folder = try TemporaryDirectory()
    for name in ["media0", "media12", "mediaX", "media", "video0", "udmabuf", "vchiq", "null"] {
      _ = try folder.file(name)
    }
    _ = try folder.directory("dma_heap")
    _ = try folder.file("dma_heap/system")
    _ = try folder.file("dma_heap/linux,cma")
    #expect(
      DeviceCompanions(folder: folder.path).paths(of: .camera) == [
        "/dev/media0", "/dev/media12", "/dev/dma_heap/linux,cma", "/dev/dma_heap/system",
        "/dev/udmabuf", "/dev/vchiq",
      ])
  }

  @Test
  func `the nodes of drivers of graphics cards are companions of their kind`() throws {
    let folder = try TemporaryDirectory()
    for name in ["kfd", "nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-modeset", "media0"] {
      _ = try folder.file(name)
    }
    let companions = DeviceCompanions(folder: folder.path)
    #expect(
      companions.paths(of: .gpu) == [
        "/dev/kfd", "/dev/nvidia-uvm", "/dev/nvidia0", "/dev/nvidiactl",
      ])
    #expect(companions.paths(of: .serial).isEmpty)
  }

  @Test
  func `a folder that is not there has none`() {
    #expect(DeviceCompanions(folder: "/nonexistent").paths(of: .camera).isEmpty)
  }
}
