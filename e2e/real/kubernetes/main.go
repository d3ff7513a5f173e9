// Reads an object as a kube-apiserver does, strictly, sets its defaults and validates it: with the code of Kubernetes itself.
package main

import (
	"fmt"
	"io"
	"os"

	batchv1 "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	batchvalidation "k8s.io/kubernetes/pkg/apis/batch/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
)

func check(data []byte) error {
	scheme := legacyscheme.Scheme
	strict := json.SerializerOptions{Strict: true}
	object, _, err := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, strict).Decode(data, nil, nil)
	if err != nil {
		return err
	}
	scheme.Default(object)
	var errors field.ErrorList
	switch object.(type) {
	case *batchv1.Job:
		job := &batch.Job{}
		if err := scheme.Convert(object, job, nil); err != nil {
			return err
		}
		job.Namespace = "runs"
		// The API server adds both by itself.
		isManual := true
		job.Spec.ManualSelector = &isManual
		job.Spec.Selector = &metav1.LabelSelector{MatchLabels: job.Spec.Template.Labels}
		errors = batchvalidation.ValidateJob(job, batchvalidation.JobValidationOptions{})
	case *v1.Secret:
		secret := &core.Secret{}
		if err := scheme.Convert(object, secret, nil); err != nil {
			return err
		}
		secret.Namespace = "runs"
		errors = corevalidation.ValidateSecret(secret)
	default:
		return fmt.Errorf("it is neither a Job nor a Secret")
	}
	return errors.ToAggregate()
}

func main() {
	data, _ := io.ReadAll(os.Stdin)
	if err := check(data); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
