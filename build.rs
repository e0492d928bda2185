//! Has the linker leave in the page's program what wasm-split-cli needs to part it (tests/tools/split/bindgen.mjs).

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let set = |name: &str| std::env::var_os(name).is_some();
    if set("CARGO_FEATURE_SPLIT") && std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo:rustc-link-arg-bin=app=--emit-relocs");
    }
}
