import {
  AmbientLight,
  Box3,
  type BufferGeometry,
  Color,
  DirectionalLight,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { OBJLoader } from "three/addons/loaders/OBJLoader.js";
import { PLYLoader } from "three/addons/loaders/PLYLoader.js";
import { STLLoader } from "three/addons/loaders/STLLoader.js";

import { ProblemError } from "../data/source.ts";

/** What a mesh file holds, in its own unit. */
export interface MeshFacts {
  readonly triangles: number;
  readonly size: readonly [x: number, y: number, z: number];
}

/** A mesh that is being shown. */
export interface MeshScene {
  readonly facts: MeshFacts;
  /** Turns the view, in radians. */
  turn(sideways: number, upwards: number): void;
  dispose(): void;
}

/** Shows a mesh in a canvas, seen from a corner, whole. Rejects where the file cannot be read or the browser has no WebGL. */
export async function showMesh(canvas: HTMLCanvasElement, address: string, name: string): Promise<MeshScene> {
  const response = await fetch(address);
  if (!response.ok) throw new ProblemError({ code: "not-read", message: `status ${response.status}` });
  const model = await readMesh(await response.arrayBuffer(), name);
  const box = new Box3().setFromObject(model);
  const size = box.getSize(new Vector3());
  const radius = size.length() / 2 || 1;
  model.position.sub(box.getCenter(new Vector3()));

  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  const scene = new Scene();
  const key = new DirectionalLight(new Color("white"), 2);
  key.position.set(1, 2, 3);
  scene.add(model, new AmbientLight(new Color("white"), 1.2), key);
  const camera = new PerspectiveCamera(40, 1, radius / 100, radius * 100);
  camera.position.set(radius * 1.8, radius * 1.5, radius * 2.2);
  const controls = new OrbitControls(camera, canvas);
  const draw = (): void => renderer.render(scene, camera);
  controls.addEventListener("change", draw);
  const resize = (): void => {
    const { clientWidth: width, clientHeight: height } = canvas;
    renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    renderer.setSize(width, height, false);
    camera.aspect = width / Math.max(1, height);
    camera.updateProjectionMatrix();
    draw();
  };
  const observer = new ResizeObserver(resize);
  observer.observe(canvas);
  controls.update();
  resize();
  return {
    facts: { triangles: trianglesOf(model), size: [size.x, size.y, size.z] },
    turn(sideways, upwards) {
      const up = new Vector3(0, 1, 0);
      camera.position.applyAxisAngle(up, sideways);
      const right = new Vector3().crossVectors(up, camera.position).normalize();
      camera.position.applyAxisAngle(right, -upwards);
      controls.update();
      draw();
    },
    dispose() {
      observer.disconnect();
      controls.dispose();
      renderer.dispose();
    },
  };
}

async function readMesh(bytes: ArrayBuffer, name: string): Promise<Object3D> {
  const plain = (geometry: BufferGeometry): Object3D => {
    if (geometry.getAttribute("normal") === undefined) geometry.computeVertexNormals();
    const hasColors = geometry.getAttribute("color") !== undefined;
    return new Mesh(
      geometry,
      new MeshStandardMaterial({
        color: hasColors ? "white" : "#8aa4c8",
        vertexColors: hasColors,
        roughness: 0.7,
      }),
    );
  };
  switch (/\.(\w+)$/.exec(name)?.[1]?.toLowerCase()) {
    case "stl":
      // What a file says of its normals is often nothing.
      return plain(new STLLoader().parse(bytes).deleteAttribute("normal"));
    case "ply":
      return plain(new PLYLoader().parse(bytes));
    case "obj":
      return new OBJLoader().parse(new TextDecoder().decode(bytes));
    default: {
      const loader = new GLTFLoader();
      const { scene } = await loader.parseAsync(bytes, "");
      return new Group().add(scene);
    }
  }
}

function trianglesOf(model: Object3D): number {
  let count = 0;
  model.traverse((part) => {
    if (!(part instanceof Mesh)) return;
    const geometry = part.geometry as BufferGeometry;
    count += (geometry.index?.count ?? geometry.getAttribute("position")?.count ?? 0) / 3;
  });
  return Math.floor(count);
}
