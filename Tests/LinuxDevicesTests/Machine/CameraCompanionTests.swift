import LinuxTestSupport
import Testing

@testable import LinuxDevices

struct CameraCompanionTests {
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
      CameraCompanions(folder: folder.path).paths == [
        "/dev/media0", "/dev/media12", "/dev/dma_heap/linux,cma", "/dev/dma_heap/system",
        "/dev/udmabuf", "/dev/vchiq",
      ])
  }

  @Test
  func `a folder that is not there has none`() {
    #expect(CameraCompanions(folder: "/nonexistent").paths.isEmpty)
  }
}
